import { operation, type Operation, type OperationAccess } from '#libs/contracts';
import { Type } from 'typebox';

/** Creates a sample operation that accepts and returns any JSON. @param route Such as `POST /things`. */
export function anyOperation(route: string, access: OperationAccess, more: Partial<Operation> = {}) {
  const [method, path] = route.split(' ') as [string, string];
  return operation({
    method: method.toLowerCase() as 'get' | 'post',
    path,
    id: route,
    access,
    tag: 'Made up',
    summary: route,
    ...(method !== 'GET' && { body: Type.Unknown() }),
    answer: Type.Unknown(),
    ...(access === 'token' && { purpose: 'report' }),
    ...more,
  });
}
