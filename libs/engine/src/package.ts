/** Entry point of the package. */
export { Engine } from './engine.js';
export { SnapshotError } from './snapshot-error.js';
export * from './types.js';
