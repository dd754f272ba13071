export {
  createStatementKey,
  signStatement,
  statementKeyPurpose,
  verifyStatement,
  type PublicStatementKey,
  type SigningKey,
} from './signature.js';
