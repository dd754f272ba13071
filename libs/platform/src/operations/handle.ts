import { Header, HttpCode, Req, RequestMapping, RequestMethod, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { isLimitedRead, type BodyOf, type Operation, type ParamsOf, type QueryOf } from '#libs/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import '../access.js';
import '../body.js';
import { bodyReader, readParams, readQuery } from './read-request.js';

/** Where the guard of an access leaves what it found out about who calls: a property of the request. */
const CALLERS = {
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

type CallerOf<O extends Operation> = O['access'] extends keyof typeof CALLERS
  ? Pick<FastifyRequest, (typeof CALLERS)[O['access']] & keyof FastifyRequest>
  : unknown;

/** A request that is let through, and fits its operation. */
export type RequestOf<O extends Operation> = {
  /** Ids in lower case. */
  params: ParamsOf<O>;
  /** Null where nothing is given. */
  query: QueryOf<O>;
  body: BodyOf<O>;
  raw: FastifyRequest;
  reply: FastifyReply;
} & CallerOf<O>;

/** JSON that was made already, of what the operation answers. */
export type JsonText = string & { readonly isJson: true };

/** Of JSON what the schema says. Whatever else is answered, the method sends with the reply. */
type AnswerOf<O extends Operation> = O extends { mediaType: string } | { otherMediaType: string }
  ? void
  : O['answer'] extends TSchema
    ? Static<O['answer']> | JsonText
    : void;

type HandlerOf<O extends Operation> = (request: RequestOf<O>) => AnswerOf<O> | Promise<AnswerOf<O>>;

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Binds a method to an operation: the route, its status and who may call it come from the declaration. The method gets
 * the one request that fits it, and answers what is declared.
 */
export const Handle =
  <const O extends Operation>(operation: O) =>
  <M extends HandlerOf<O>>(target: object, name: string | symbol, method: TypedPropertyDescriptor<M>): void => {
    const { access, path, status = 200, answer, checksBody, maxRawBytes } = operation;
    const verb = RequestMethod[operation.method.toUpperCase() as keyof typeof RequestMethod];
    const decorators = [
      RequestMapping({ method: verb, path: path.replace(/\{(\w+)\}/g, ':$1') }),
      HttpCode(status),
      RouteConfig({ operation, access, rawBody: checksBody === 'bytes', ...(maxRawBytes && { maxRawBytes }) }),
    ];
    if (!isSentByMethod(operation) && answer !== undefined) decorators.push(Header('content-type', JSON_TYPE));
    const handle = method.value as (request: object) => unknown;
    const read = requestReader(operation);
    // Not a decorator of a parameter, for which Nest waits several times: visits come in thousands a second.
    const isLimited = isLimitedRead(operation);
    method.value = function (this: unknown, raw: FastifyRequest, reply: FastifyReply) {
      const limit = isLimited ? raw.server.readLimit : null;
      if (limit === null) return handle.call(this, read(raw, reply));
      return limit(raw, async () => handle.call(this, read(raw, reply)));
    } as unknown as M;
    for (const decorate of decorators) decorate(target, name, method);
    Req()(target, name, 0);
    // Nest leaves the answer to a method that takes the reply.
    Res({ passthrough: !isSentByMethod(operation) })(target, name, 1);
  };

const isSentByMethod = ({ status, mediaType, otherMediaType }: Operation): boolean =>
  status === 302 || mediaType !== undefined || otherMediaType !== undefined;

function requestReader(operation: Operation): (raw: FastifyRequest, reply: FastifyReply) => object {
  const caller = CALLERS[operation.access as keyof typeof CALLERS] as keyof FastifyRequest | undefined;
  const readBody = bodyReader(operation);
  const hasParams = operation.params !== undefined;
  const hasQuery = operation.query !== undefined;
  return (raw, reply) => {
    const request: Record<string, unknown> = {
      params: hasParams ? readParams(operation, raw.params as Record<string, string>) : NOTHING,
      query: hasQuery ? readQuery(operation, raw.query as Record<string, string>) : NOTHING,
      body: readBody(raw.body),
      raw,
      reply,
    };
    if (caller !== undefined) request[caller] = raw[caller];
    return request;
  };
}

const NOTHING = Object.freeze({});
