import type { Operation } from './operation.js';

type Internal<O extends Operation> = Omit<O, 'path' | 'access'> & { path: string; access: 'internal' };

/** Returns the variant of an operation that services call on each other, under `/internal/`. */
export const toInternal = <O extends Operation>(operation: O): Internal<O> => ({
  ...operation,
  path: operation.path.replace(/^(?:\/api)?\//, '/internal/'),
  access: 'internal',
});
