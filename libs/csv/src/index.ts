export * from './csv.js';
export * from './file-name.js';
