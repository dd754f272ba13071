import { operation, type Operation, type OperationAccess } from '#libs/contracts';
import { Type } from 'typebox';

/**
 * Creates a sample operation that accepts and returns any JSON.
 *
 * @param route Method and path, such as `POST /things`.
 */
export function createOperation(route: string, access: OperationAccess, overrides: Partial<Operation> = {}) {
  const [method, path] = route.split(' ') as [string, string];
  return operation({
    method: method.toLowerCase() as 'get' | 'post',
    path,
    id: route,
    access,
    tag: 'Sample',
    summary: route,
    ...(method !== 'GET' && { body: Type.Unknown() }),
    answer: Type.Unknown(),
    ...(access === 'token' && { purpose: 'report' }),
    ...overrides,
  });
}
