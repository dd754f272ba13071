export * from './access-token.entity.js';
export * from './api-key.entity.js';
export * from './credential.js';
export * from './data-source.js';
export * from './database-error.js';
export * from './database.module.js';
export * from './project.entity.js';
export * from './secret-box.js';
