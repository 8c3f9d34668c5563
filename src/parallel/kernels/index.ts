export { finishBest, keepBest } from './best';
export { copyBits, joinBits, listBits, pickBits } from './bits';
export { bucketFloats, bucketWords, takeSteps } from './bucket';
export { followMap, mapGroups, mergeGroups } from './coarsen';
export { countFloat, countNarrow, countRows, countSigned } from './count';
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
export { bestWords, countDistinct, modes, quantiles, validGroups } from './holistic';
export { lookUpFar, lookUpNear, rehashPool, searchTexts } from './intern';
export { pack, placeDense, unpack } from './keys';
export { decode, encode, encodeExact, extent, gather, lookUp, toOrderBytes, widen, zeroNulls } from './load';
export {
  bitsOfNulls,
  countPlaces,
  groupsWithRows,
  homesOfTickets,
  listFresh,
  logRows,
  partRows,
  placeRows,
  startPlaces,
  sumRows,
} from './log';
export { countPartials, distinctRefs, mergeDense, mergeRefs } from './merge';
export {
  addMoments,
  addMomentsApart,
  addNarrow,
  addNarrowPairs,
  addPairs,
  addPairsApart,
  bothValid,
  floatSteps,
  settleMoments,
  unsignedSteps,
  validCodes,
} from './moments';
export { listRecords, listRefs, putNulls, putWords, renewRefs } from './rank';
export { finishKept, finishKeptTexts, keepBy, keepByText, keepRow } from './rows';
export { headsOf, spreadHeads } from './runs';
export { countInto, pickValues, restrictOffsets } from './select';
export { sort } from './sort';
export {
  dropTickets,
  forgetCodes,
  gatherLanes,
  keepLogged,
  layWides,
  listedBytes,
  listHeavy,
  numberTickets,
  packListed,
  packWides,
  placesToTickets,
  renumberCodes,
  replaceCodes,
  scatterLanes,
  spansOf,
} from './spill';
export { assign, sample, scatter } from './split';
export { finishCovariance, finishVariance } from './spread';
export { flushFloat, sumFloat, sumNarrow, sumSigned, sumUnsigned, sumWords } from './sum';
export { countNulls, countZeros, probe, probeDense, rehash } from './table';
export { checkCodes, testCodes, testTexts, testWords } from './test';
export { locate, orderWord, viewRanges } from './text';
export { entriesOf, joinedBytes, joinTexts, listTexts, rankTexts } from './texts';
export { touchRefs } from './touch';
export { wideAdd, wideMerge, wideRound } from './wide';
