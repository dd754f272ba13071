export { createMatrix, type PermissionMatrix } from './matrix.js';
export { MECHANISMS } from './mechanisms.js';
export { type ObservedVisit } from './observed-statements.js';
export { type PermissionAgent } from './robots-statements.js';
export { MAX_LICENSE_BYTES, parseLicense, type LicensedContent } from './rsl-license.js';
export { type Statement } from './statement.js';
