import { Counter, Histogram } from 'prom-client';
import type { ProblemType } from './problem.js';

const requestSeconds = new Histogram({
  name: 'agent_traffic_http_request_seconds',
  help: 'Time from a request to the end of its response',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.02, 0.1, 0.5, 2, 10],
});
const problems = new Counter({
  name: 'agent_traffic_http_problems_total',
  help: 'Refused or failed requests, by problem type',
  labelNames: ['route', 'problem'],
});

interface Answer {
  method: string;
  /** Declared path, such as `/projects/:id`. */
  route: string;
  status: number;
  problem: ProblemType | undefined;
}

export function countAnswer({ method, route, status, problem }: Answer, seconds: number): void {
  requestSeconds.observe({ method, route, status }, seconds);
  if (problem !== undefined) problems.inc({ route, problem });
}
