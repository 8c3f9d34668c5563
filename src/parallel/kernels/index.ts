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
export { pack, unpack } from './keys';
export { decode, encode, extent, gather, lookUp, toOrderBytes, widen, zeroNulls } from './load';
export { countPartials, distinctRefs, mergeDense, mergeRefs } from './merge';
export { assign, sample, scatter, sort } from './order';
export { flushFloat, sumFloat, sumNarrow, sumSigned, sumUnsigned, sumWords } from './sum';
export {
  countGroups,
  countNulls,
  countZeros,
  listGroups,
  moveStates,
  probeDense,
  probeWord,
  probeWords,
  rehash,
  wideSlot,
} from './table';
export { intern, rehashPool, viewRanges } from './text';
export { wideAdd, wideMerge, wideRound } from './wide';
