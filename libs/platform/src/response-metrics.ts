import { Counter, Histogram } from 'prom-client';
import type { ProblemType } from './problem.js';

const requestSeconds = new Histogram({
  name: 'agent_traffic_http_request_seconds',
  help: 'Time from receiving a request to finishing its response',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.02, 0.1, 0.5, 2, 10],
});
const problems = new Counter({
  name: 'agent_traffic_http_problems_total',
  help: 'Rejected or failed requests by problem type',
  labelNames: ['route', 'problem'],
});

interface HandledRequest {
  method: string;
  /** Route pattern, such as `/projects/:id`. */
  route: string;
  status: number;
  problem: ProblemType | undefined;
}

export function recordResponse({ method, route, status, problem }: HandledRequest, seconds: number): void {
  requestSeconds.observe({ method, route, status }, seconds);
  if (problem !== undefined) problems.inc({ route, problem });
}
