import { Header, HttpCode, Req, RequestMapping, RequestMethod, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { isLimitedRead, type BodyOf, type Operation, type ParamsOf, type QueryOf } from '#libs/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import '../access.js';
import '../body.js';
import { bodyReader, readParams, readQuery } from './read-request.js';

/** Request property in which each access level's guard stores the caller. */
const CALLER_PROPERTIES = {
  public: 'visitor',
  shared: 'sharedLink',
  token: 'project',
  authenticated: 'principal',
  session: 'principal',
  viewer: 'principal',
  member: 'principal',
  owner: 'principal',
  administrator: 'principal',
} as const;

type Caller<O extends Operation> = O['access'] extends keyof typeof CALLER_PROPERTIES
  ? Pick<FastifyRequest, (typeof CALLER_PROPERTIES)[O['access']] & keyof FastifyRequest>
  : unknown;

/** Authorized and validated request. */
export type RequestOf<O extends Operation> = {
  /** Path parameters. IDs are lowercase. */
  params: ParamsOf<O>;
  /** Query parameters. Absent ones are null unless they have a default. */
  query: QueryOf<O>;
  body: BodyOf<O>;
  raw: FastifyRequest;
  reply: FastifyReply;
} & Caller<O>;

/** Response that is already serialized as JSON. */
export type JsonText = string & { readonly isJson: true };

/** Return type of a handler: the declared JSON, or void if the method sends the response itself. */
type HandlerResult<O extends Operation> = O extends { mediaType: string } | { otherMediaType: string }
  ? void
  : O['answer'] extends TSchema
    ? Static<O['answer']> | JsonText
    : void;

type OperationHandler<O extends Operation> = (request: RequestOf<O>) => HandlerResult<O> | Promise<HandlerResult<O>>;

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Binds a method to an operation. The operation's declaration determines the route, status and access level. The method
 * receives the validated request and returns the declared response.
 */
export const Handle =
  <const O extends Operation>(operation: O) =>
  <M extends OperationHandler<O>>(target: object, name: string | symbol, method: TypedPropertyDescriptor<M>): void => {
    const { access, path, status = 200, answer, checksBody, maxRawBytes } = operation;
    const httpMethod = RequestMethod[operation.method.toUpperCase() as keyof typeof RequestMethod];
    const decorators = [
      RequestMapping({ method: httpMethod, path: path.replace(/\{(\w+)\}/g, ':$1') }),
      HttpCode(status),
      RouteConfig({ operation, access, rawBody: checksBody === 'bytes', ...(maxRawBytes && { maxRawBytes }) }),
    ];
    if (!isSentByMethod(operation) && answer !== undefined) decorators.push(Header('content-type', JSON_TYPE));
    const handle = method.value as (request: object) => unknown;
    const read = createRequestReader(operation);
    // Parameter decorators are too slow for thousands of visits per second because Nest awaits several promises for
    // each one.
    const isLimited = isLimitedRead(operation);
    method.value = function (this: unknown, raw: FastifyRequest, reply: FastifyReply) {
      const limit = isLimited ? raw.server.readLimit : null;
      if (limit === null) return handle.call(this, read(raw, reply));
      return limit(raw, async () => handle.call(this, read(raw, reply)));
    } as unknown as M;
    for (const decorate of decorators) decorate(target, name, method);
    Req()(target, name, 0);
    // With `passthrough`, Nest sends the return value even though the method receives the reply.
    Res({ passthrough: !isSentByMethod(operation) })(target, name, 1);
  };

const isSentByMethod = ({ status, mediaType, otherMediaType, textAnswers }: Operation): boolean =>
  status === 302 || mediaType !== undefined || otherMediaType !== undefined || textAnswers !== undefined;

function createRequestReader(operation: Operation): (raw: FastifyRequest, reply: FastifyReply) => object {
  const caller = CALLER_PROPERTIES[operation.access as keyof typeof CALLER_PROPERTIES] as
    keyof FastifyRequest | undefined;
  const readBody = bodyReader(operation);
  const hasParams = operation.params !== undefined;
  const hasQuery = operation.query !== undefined;
  return (raw, reply) => {
    const request: Record<string, unknown> = {
      params: hasParams ? readParams(operation, raw.params as Record<string, string>) : EMPTY,
      query: hasQuery ? readQuery(operation, raw.query as Record<string, string>) : EMPTY,
      body: readBody(raw.body),
      raw,
      reply,
    };
    if (caller !== undefined) request[caller] = raw[caller];
    return request;
  };
}

const EMPTY = Object.freeze({});
