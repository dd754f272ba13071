import { randomUUID } from 'node:crypto';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import { PROCESS_OPERATIONS } from '#libs/contracts';
import { registerAccess } from './access.js';
import { countAnswer } from './answer-metrics.js';
import { BODY_LIMIT, registerBodyParser } from './body.js';
import { registerClientAddress } from './client-address.js';
import { registerDrain } from './drain.js';
import { registerHost } from './host.js';
import { registerVersions } from './entity-tag.js';
import { type Logger, NestLogger } from './logger.js';
import { registerMethodNotAllowed } from './method-not-allowed.js';
import { OPERATOR_TOKENS, registerOperatorAccess } from './operator-access.js';
import { ProblemFilter, sendProblem, toProblem } from './problem.filter.js';
import { registerSecurityHeaders } from './security-headers.js';
import { LOOPBACK_PROXIES, trustedProxies, type TrustedProxiesSetting } from './trusted-proxies.js';
import { answerClientError, registerExpectations } from './unread-requests.js';
import { UntrustedForwarders } from './untrusted-forwarders.js';
import { productVersion } from './version.js';
import {
  requestContext,
  saneRequestId,
  sentTraceparent,
  traceparentOf,
  type RequestContext,
} from './request-context.js';
import { currentTracer, type Span } from './tracing/tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

/** Milliseconds for a client to send its headers, and its entire request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

const build = new Gauge({
  name: 'agent_traffic_build_info',
  help: 'Always 1; version: the running release',
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
  { bodyLimit = BODY_LIMIT, trustedProxies: proxies = LOOPBACK_PROXIES }: HttpAppOptions = {},
): Promise<NestFastifyApplication> {
  if (register.getSingleMetric('process_cpu_seconds_total') === undefined) {
    // Sampling interval of the event loop in milliseconds. At the default of 10, sampling would dominate the CPU use of
    // an idle process.
    collectDefaultMetrics({ eventLoopMonitoringPrecision: 50 });
    build.set({ version: productVersion() }, 1);
  }
  const adapter = new FastifyAdapter({
    bodyLimit,
    genReqId: (request) => saneRequestId(request.headers['x-request-id']) ?? randomUUID(),
    connectionTimeout: 0,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 72_000,
    // Otherwise, Node itself rejects requests without a Host header, and the response lacks our headers. `registerHost`
    // rejects them instead.
    http: { headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    skipMiddie: true,
    multipart: false,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(toProblem(error), request, reply),
    clientErrorHandler: answerClientError,
  } as ConstructorParameters<typeof FastifyAdapter>[0]);
  const instance: FastifyInstance = adapter.getInstance();
  registerDrain(instance);
  registerExpectations(instance);
  registerSecurityHeaders(instance);
  registerContext(instance, logger);
  registerVersions(instance);
  registerHost(instance);
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
  registerClientAddress(instance, trustedProxies(proxies), app.get(UntrustedForwarders));
  app.useGlobalFilters(new ProblemFilter(logger));
  return app;
}

function registerContext(instance: FastifyInstance, logger: Logger): void {
  instance.decorateRequest('context');
  instance.addHook('onRequest', (request, reply, done) => {
    const span = serverSpan(request);
    const traceparent = span?.traceparent ?? traceparentOf(sentTrace(request));
    request.context = { requestId: request.id, traceparent, ...(span && { span }) };
    void reply.header('x-request-id', request.id);
    requestContext.run(request.context, done);
  });
  // Reading the body loses the async context set by the hook above.
  instance.addHook('preValidation', (request, _reply, done) => requestContext.run(request.context, done));
  instance.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    const route = request.routeOptions.url ?? 'unknown';
    const { problem } = request.context;
    countAnswer({ method: request.method, route, status, problem: problem?.type }, reply.elapsedTime / 1_000);
    request.context.span?.end({
      attributes: { 'http.response.status_code': status },
      ...(status >= 500 && { error: problem ?? new Error(`answered ${status}`) }),
    });
    const level = status >= 500 && !request.context.isSummarized ? 'warn' : 'debug';
    if (logger.isLevelEnabled(level)) {
      const line = { status, milliseconds: Math.round(reply.elapsedTime) };
      requestContext.run(request.context, () => logger[level](line, `${request.method} ${route}`));
    }
    done();
  });
}

/**
 * Returns the caller's trace. A visitor's headers, forwarded by a proxy, don't count: visitors must not control
 * tracing.
 */
const sentTrace = ({ routeOptions, headers }: FastifyRequest) =>
  routeOptions.config?.operation?.hasVisitorHeaders ? undefined : headers.traceparent;

/**
 * Starts a span for a request, except for health checks and metrics. Its name and attributes contain no values that the
 * client can choose.
 */
function serverSpan(request: FastifyRequest): Span | undefined {
  const tracer = currentTracer();
  if (tracer === null) return undefined;
  const { method } = request;
  const route = request.routeOptions.url ?? 'unknown';
  if (PROCESS_OPERATIONS.some(({ path }) => path === route)) return undefined;
  return tracer.start(`${method} ${route}`, {
    kind: 'server',
    parent: sentTraceparent(sentTrace(request)),
    attributes: { 'http.request.method': method, 'http.route': route },
  });
}
