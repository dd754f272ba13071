import type { InstancePaths } from '#libs/contracts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** API paths that support an HTTP method. */
export type PathFor<M extends Method> = {
  [P in keyof InstancePaths]: M extends keyof InstancePaths[P] ? P : never;
}[keyof InstancePaths];

type Operation<M extends Method, P extends PathFor<M>> = InstancePaths[P][M & keyof InstancePaths[P]];

/** Request parameters and body, in the same shape as in `openapi-fetch`. */
export interface RequestInput {
  params?: {
    path?: Record<string, string>;
    query?: Query;
    header?: Record<string, string | undefined>;
  };
  body?: unknown;
}

export type Query = Record<string, string | number | readonly (string | number)[] | undefined>;

/** Request arguments after the path. They are optional if the operation has neither required parameters nor a body. */
export type RequestArgs<M extends Method, P extends PathFor<M>> =
  OperationInput<Operation<M, P>> extends infer I extends RequestInput
    ? object extends I
      ? [input?: I]
      : [input: I]
    : never;

type OperationInput<O> = (O extends { parameters: infer Parameters }
  ? object extends Parameters
    ? { params?: Parameters }
    : { params: Parameters }
  : never) &
  (O extends { requestBody: { content: { 'application/json': infer Body } } } ? { body: Body } : { body?: never });

export type QueryParams<M extends Method, P extends PathFor<M>> =
  Operation<M, P> extends { parameters: { query?: infer Parameters } } ? NonNullable<Parameters> : never;

/** Body of a successful response. */
export type ResponseBody<M extends Method, P extends PathFor<M>> =
  Operation<M, P> extends { responses: infer Responses }
    ? SuccessBody<Responses[Exclude<keyof Responses, 'default'>]>
    : never;

type SuccessBody<Response> = Response extends { content: infer Content } ? Content[keyof Content] : never;
