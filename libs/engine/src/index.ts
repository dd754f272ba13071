export * from './snapshot-content.js';
