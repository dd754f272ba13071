/**
 * Identification vocabulary: results, methods, outcomes and reasons, along with their display texts. These modules also
 * run in browsers, so they must only import each other.
 */
export * from './automation-signs.js';
export * from './reasons.js';
export * from './results.js';
