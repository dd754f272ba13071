import type { InstancePaths } from '#libs/contracts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths that support the method. */
export type PathWith<M extends Method> = {
  [P in keyof InstancePaths]: M extends keyof InstancePaths[P] ? P : never;
}[keyof InstancePaths];

type OperationAt<M extends Method, P extends PathWith<M>> = InstancePaths[P][M & keyof InstancePaths[P]];

/** Parameters and body of a request, in the shape that `openapi-fetch` uses. */
export interface RequestInput {
  params?: {
    path?: Record<string, string>;
    query?: Query;
    header?: Record<string, string | undefined>;
  };
  body?: unknown;
}

export type Query = Record<string, string | number | readonly (string | number)[] | undefined>;

/** Arguments of a request after its path. Optional if the operation requires no parameters and has no body. */
export type InputOf<M extends Method, P extends PathWith<M>> =
  Input<OperationAt<M, P>> extends infer I extends RequestInput ? (object extends I ? [input?: I] : [input: I]) : never;

type Input<O> = (O extends { parameters: infer Parameters }
  ? object extends Parameters
    ? { params?: Parameters }
    : { params: Parameters }
  : never) &
  (O extends { requestBody: { content: { 'application/json': infer Body } } } ? { body: Body } : { body?: never });

export type QueryOf<M extends Method, P extends PathWith<M>> =
  OperationAt<M, P> extends { parameters: { query?: infer Parameters } } ? NonNullable<Parameters> : never;

/** Body of a successful response. */
export type ContentOf<M extends Method, P extends PathWith<M>> =
  OperationAt<M, P> extends { responses: infer Responses }
    ? Success<Responses[Exclude<keyof Responses, 'default'>]>
    : never;

type Success<Response> = Response extends { content: infer Content } ? Content[keyof Content] : never;
