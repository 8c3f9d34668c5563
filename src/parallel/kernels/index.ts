export { bucketFloats, bucketWords, takeSteps } from './bucket';
export { followMap, mapGroups, mergeGroups, uncountRows } from './coarsen';
export { maxText, maxWord } from './extremes';
export {
  finishCounts,
  finishFloatMean,
  finishFloatSum,
  finishMean,
  finishSum,
  finishTexts,
  finishValidity,
  finishWords,
  keyTexts,
  wideIn,
  writeFixed,
  writeTexts,
  writeViews,
} from './finish';
export { countGroups, listGroups, moveStates, wideSlot } from './groups';
export { pack, unpack } from './keys';
export { decode, encode, extent, gather, lookUp, toOrderBytes, widen, zeroNulls } from './load';
export { countPartials, distinctRefs, mergeDense, mergeRefs } from './merge';
export { countInto, keepWords, restrictOffsets, spreadOffsets } from './select';
export { sort } from './sort';
export { assign, sample, scatter } from './split';
export { flushFloat, sumFloat, sumNarrow, sumSigned, sumUnsigned, sumWords } from './sum';
export { countNulls, countZeros, probeDense, probeWord, probeWords, rehash } from './table';
export { intern, rehashPool, viewRanges } from './text';
export { wideAdd, wideMerge, wideRound } from './wide';
