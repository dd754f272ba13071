import { Type } from 'typebox';
import { operation } from './operation.js';

const TAG = 'Process';

export const getLiveness = operation({
  method: 'get',
  path: '/healthz',
  id: 'getLiveness',
  access: 'open',
  tag: TAG,
  summary: 'Check liveness',
  answer: Type.Object({ status: Type.String() }),
});

export const getReadiness = operation({
  method: 'get',
  path: '/readyz',
  id: 'getReadiness',
  access: 'open',
  tag: TAG,
  summary: "Check readiness (returns 503 with the reasons if the process isn't ready)",
  answer: Type.Object({ status: Type.String(), checks: Type.Optional(Type.Record(Type.String(), Type.String())) }),
});

export const getMetrics = operation({
  method: 'get',
  path: '/metrics',
  id: 'getMetrics',
  access: 'operator',
  tag: TAG,
  summary: 'Get metrics in the Prometheus text format',
  answer: Type.String(),
  mediaType: 'text/plain',
});

export const PROCESS_OPERATIONS = [getLiveness, getReadiness, getMetrics];

export const getKeyDirectory = operation({
  method: 'get',
  path: '/.well-known/http-message-signatures-directory',
  id: 'getKeyDirectory',
  access: 'open',
  tag: 'Test agent',
  summary: "Get the test agent's public keys",
  answer: Type.String(),
  mediaType: 'application/http-message-signatures-directory+json',
});
