export * from './access.js';
export * from './database-error.js';
export * from './operations/api.js';
export { Handle, type JsonText, type RequestOf } from './operations/handle.js';
export {
  invalidBody,
  notFound,
  readQuery,
  requireId,
  invalidBodyError,
  invalidQueryError,
} from './operations/read-request.js';
export * from './admission.js';
export * from './body.js';
export * from './decompression.js';
export * from './entity-tag.js';
export * from './fulfilled-within.js';
export * from './env.js';
export * from './health.js';
export * from './http-app.js';
export { errorMessage } from './logged-error.js';
export * from './logger.js';
export * from './platform.module.js';
export * from './problem.filter.js';
export * from './problem.js';
export * from './process.js';
export * from './request-context.js';
export * from './buffered-writer.js';
export * from './periodic-service.js';
export * from './periodic-task.js';
export * from './docs.js';
export * from './network-limit.js';
export * from './service.js';
export * from './circuit.js';
export * from './client-address.js';
export * from './trusted-proxies.js';
export * from './untrusted-forwarders.js';
export * from './internal/internal-access.js';
export * from './internal/internal-client.js';
export * from './tracing/tracing.js';
export { tracingOptions, type TracingOptions } from './tracing/tracing-settings.js';
export * from './version.js';
export * from './work-slices.js';
