import { randomUUID } from 'node:crypto';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import { PROCESS_OPERATIONS } from '#libs/contracts';
import { registerAccess } from './access.js';
import { recordResponse } from './response-metrics.js';
import { MAX_BODY_BYTES, registerBodyParser } from './body.js';
import { registerClientAddress } from './client-address.js';
import { registerDrain } from './drain.js';
import { registerHostCheck } from './host.js';
import { registerEntityTags } from './entity-tag.js';
import { type Logger, NestLogger } from './logger.js';
import { registerMethodNotAllowed } from './method-not-allowed.js';
import { OPERATOR_TOKENS, registerOperatorAccess } from './operator-access.js';
import { ProblemFilter, sendProblem, toProblem } from './problem.filter.js';
import { registerSecurityHeaders } from './security-headers.js';
import { LOOPBACK_PROXIES, parseTrustedProxies, type TrustedProxiesSetting } from './trusted-proxies.js';
import { respondToClientError, rejectUnsupportedExpectations } from './unparsed-requests.js';
import { UntrustedForwarders } from './untrusted-forwarders.js';
import { getProductVersion } from './version.js';
import {
  requestContext,
  sanitizeRequestId,
  parseTraceparent,
  getOrCreateTraceparent,
  type RequestContext,
} from './request-context.js';
import { currentTracer, type Span } from './tracing/tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

/** How long a client has to send its headers, and to send its entire request, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often these timeouts are checked, in milliseconds. Node.js's default of 30 s would let clients take 60 s. */
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;

const buildInfo = new Gauge({
  name: 'agent_traffic_build_info',
  help: 'Always 1. The version label is the running release',
  labelNames: ['version'],
});

interface HttpAppOptions {
  /** Maximum body size in bytes. */
  bodyLimit?: number;
  /** Default: loopback addresses. */
  trustedProxies?: TrustedProxiesSetting;
}

/**
 * Creates a Nest application on Fastify with the features that all services share: request IDs, body parsing, problem
 * documents, metrics and logs. The caller must initialize it and start listening.
 */
export async function createHttpApp(
  module: Type | DynamicModule,
  logger: Logger,
  { bodyLimit = MAX_BODY_BYTES, trustedProxies: proxies = LOOPBACK_PROXIES }: HttpAppOptions = {},
): Promise<NestFastifyApplication> {
  if (register.getSingleMetric('process_cpu_seconds_total') === undefined) {
    // Event-loop sampling interval in milliseconds. At the default of 10, sampling would account for most of an idle
    // process's CPU usage.
    collectDefaultMetrics({ eventLoopMonitoringPrecision: 50 });
    buildInfo.set({ version: getProductVersion() }, 1);
  }
  const adapter = new FastifyAdapter({
    bodyLimit,
    genReqId: (request) => sanitizeRequestId(request.headers['x-request-id']) ?? randomUUID(),
    connectionTimeout: 0,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 72_000,
    // Otherwise, Node.js itself rejects requests without a Host header, without adding our headers. `registerHostCheck`
    // rejects them instead.
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    skipMiddie: true,
    multipart: false,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(toProblem(error), request, reply),
    clientErrorHandler: respondToClientError,
  } as ConstructorParameters<typeof FastifyAdapter>[0]);
  const instance: FastifyInstance = adapter.getInstance();
  registerDrain(instance);
  rejectUnsupportedExpectations(instance);
  registerSecurityHeaders(instance);
  registerContext(instance, logger);
  registerEntityTags(instance);
  registerHostCheck(instance);
  registerBodyParser(instance, bodyLimit);
  registerMethodNotAllowed(instance);
  registerAccess(instance);
  instance.serveOperations(PROCESS_OPERATIONS);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    bufferLogs: false,
    abortOnError: false,
    logger: new NestLogger(logger),
  });
  registerOperatorAccess(instance, app.get(OPERATOR_TOKENS));
  registerClientAddress(instance, parseTrustedProxies(proxies), app.get(UntrustedForwarders));
  app.useGlobalFilters(new ProblemFilter(logger));
  return app;
}

function registerContext(instance: FastifyInstance, logger: Logger): void {
  instance.decorateRequest('context');
  instance.addHook('onRequest', (request, reply, done) => {
    const span = startServerSpan(request);
    const traceparent = span?.traceparent ?? getOrCreateTraceparent(getTrustedTraceparent(request));
    request.context = { requestId: request.id, traceparent, ...(span && { span }) };
    void reply.header('x-request-id', request.id);
    requestContext.run(request.context, done);
  });
  // Reading the body loses the async context that the hook above sets.
  instance.addHook('preValidation', (request, _reply, done) => requestContext.run(request.context, done));
  instance.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    const route = request.routeOptions.url ?? 'unknown';
    const { problem } = request.context;
    recordResponse({ method: request.method, route, status, problem: problem?.type }, reply.elapsedTime / 1_000);
    request.context.span?.end({
      attributes: { 'http.response.status_code': status },
      ...(status >= 500 && { error: problem ?? new Error(`responded with ${status}`) }),
    });
    const level = status >= 500 && !request.context.isSummarized ? 'warn' : 'debug';
    if (logger.isLevelEnabled(level)) {
      const line = { status, milliseconds: Math.round(reply.elapsedTime) };
      requestContext.run(request.context, () => logger[level](line, `${request.method} ${route}`));
    }
    done();
  });
}

/** Ignores headers that a proxy forwards from a visitor, because visitors must not control tracing. */
const getTrustedTraceparent = ({ routeOptions, headers }: FastifyRequest) =>
  routeOptions.config?.operation?.hasVisitorHeaders ? undefined : headers.traceparent;

/** Health checks and metrics are not traced. Span names and attributes contain no client-controlled values. */
function startServerSpan(request: FastifyRequest): Span | undefined {
  const tracer = currentTracer();
  if (tracer === null) return undefined;
  const { method } = request;
  const route = request.routeOptions.url ?? 'unknown';
  if (PROCESS_OPERATIONS.some(({ path }) => path === route)) return undefined;
  return tracer.start(`${method} ${route}`, {
    kind: 'server',
    parent: parseTraceparent(getTrustedTraceparent(request)),
    attributes: { 'http.request.method': method, 'http.route': route },
  });
}
