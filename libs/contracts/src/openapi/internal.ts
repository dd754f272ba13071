import type { Operation } from './operation.js';

/** An operation as one of our services asks another for it. */
type Internal<O extends Operation> = Omit<O, 'path' | 'access'> & { path: string; access: 'internal' };

export const internal = <O extends Operation>(operation: O): Internal<O> => ({
  ...operation,
  path: operation.path.replace(/^(?:\/api)?\//, '/internal/'),
  access: 'internal',
});
