import type { Static, TSchema } from 'typebox';
import type { Problem } from '../problem.schema.js';
import type { CONSOLE_OPERATIONS } from './console.js';
import type { InterfaceOperation, QueryParameter } from './operation.js';
import type { PUBLIC_OPERATIONS } from './public.js';

/** Operations by path and method, in the shape that `openapi-fetch` expects as its type parameter. */
export type PathsOf<O extends InterfaceOperation> = {
  [P in O['path']]: {
    [M in Extract<O, { path: P }>['method']]: RequestAndResponses<Extract<O, { path: P; method: M }>>;
  };
};

type ConsoleOperation = (typeof CONSOLE_OPERATIONS)[number];

export type ConsolePaths = PathsOf<ConsoleOperation>;

/** Paths in the dashboard API and the API for sites. */
export type InstancePaths = PathsOf<ConsoleOperation | (typeof PUBLIC_OPERATIONS)[number]>;

/** Query parameters for the dashboard API operation with this ID. */
export type ConsoleQuery<Id extends ConsoleOperation['id']> = QueryInput<Extract<ConsoleOperation, { id: Id }>>;

type RequestAndResponses<O extends InterfaceOperation> = {
  parameters: PathParameters<O> & {
    query?: QueryInput<O>;
    header?: Record<string, string | undefined>;
    cookie?: never;
  };
  responses: Record<StatusOf<O>, { headers: Record<string, unknown>; content: SuccessContent<O> }> & {
    default: { headers: Record<string, unknown>; content: { 'application/problem+json': Problem } };
  };
} & RequestBody<O>;

type PathParameters<O extends InterfaceOperation> = O['params'] extends object
  ? { path: { [K in keyof O['params']]: string } }
  : { path?: never };

type RequestBody<O extends InterfaceOperation> = O['body'] extends TSchema
  ? { requestBody: { content: { 'application/json': Static<O['body']> } } }
  : { requestBody?: never };

type StatusOf<O extends InterfaceOperation> = O['status'] extends number ? O['status'] : 200;

type SuccessContent<O extends InterfaceOperation> = O['answer'] extends TSchema
  ? Record<O['mediaType'] extends string ? O['mediaType'] : 'application/json', Static<O['answer']>>
  : Record<never, never>;

type QueryInput<O> = {
  [K in keyof QueryDeclared<O>]?: QueryDeclared<O>[K] extends QueryParameter<infer T>
    ? ValueInput<NonNullable<T>> | undefined
    : never;
};

/** Type of a value that callers send. They can send any string or number if the server parses it into another type. */
type ValueInput<T> = T extends string ? T : T extends readonly (infer I)[] ? readonly ValueInput<I>[] : string | number;

type QueryDeclared<O> = O extends { query: infer Q } ? Q : Record<never, never>;
