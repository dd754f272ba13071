/** OpenAPI definitions of paths outside the APIs. Any response except a 5xx is allowed. */
const responses = { default: { description: 'Any' } };
const text = (place: 'path' | 'header', name: string): object => ({
  in: place,
  name,
  required: true,
  schema: { type: 'string', minLength: 1 },
});
const read = (operationId: string, parameters: object[] = []): { get: object } => ({
  get: { operationId, parameters, responses: responses, security: [], 'x-callers': ['stranger'] },
});

export const PAGES = {
  '/.well-known/http-message-signatures-directory': read('keyDirectory', [text('header', 'Host')]),
  '/assets/{file}': read('asset', [text('path', 'file')]),
  '/docs/{file}': read('docs', [text('path', 'file')]),
  '/{file}': read('page', [text('path', 'file'), text('header', 'Accept')]),
  '/healthz': read('alive', [text('header', 'X-Request-Id')]),
  '/readyz': read('ready', [text('header', 'Traceparent')]),
  '/metrics': read('metrics'),
};
