import { Type } from 'typebox';
import { operation } from './operation.js';

const TAG = 'Process';

export const getLiveness = operation({
  method: 'get',
  path: '/healthz',
  id: 'getLiveness',
  access: 'open',
  tag: TAG,
  summary: 'The process is up',
  answer: Type.Object({ status: Type.String() }),
});

export const getReadiness = operation({
  method: 'get',
  path: '/readyz',
  id: 'getReadiness',
  access: 'open',
  tag: TAG,
  summary: 'The process can do its work; 503 when not. Who runs it is told what is missing',
  answer: Type.Object({ status: Type.String(), checks: Type.Optional(Type.Record(Type.String(), Type.String())) }),
});

export const getMetrics = operation({
  method: 'get',
  path: '/metrics',
  id: 'getMetrics',
  access: 'operator',
  tag: TAG,
  summary: 'Routes, load and dependencies of the process, in the text format of Prometheus',
  answer: Type.String(),
  mediaType: 'text/plain',
});

/** Operations for the operator of a process. */
export const PROCESS_OPERATIONS = [getLiveness, getReadiness, getMetrics];

export const getKeyDirectory = operation({
  method: 'get',
  path: '/.well-known/http-message-signatures-directory',
  id: 'getKeyDirectory',
  access: 'open',
  tag: 'Test agent',
  summary: "The test agent's keys, for anyone who checks its signatures",
  answer: Type.String(),
  mediaType: 'application/http-message-signatures-directory+json',
});
