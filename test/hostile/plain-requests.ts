import type { InterfaceOperation } from '#libs/contracts';
import type { App, Json } from '../kit/app.js';
import type { InjectedRequest } from '../kit/inject-request.js';
import { Person, type Method } from '../kit/person.js';
import { createRequestBody, PASSWORD, createOperationUrl, type Tenant } from '../kit/tenant.js';
import { createSample } from './samples.js';

/** Builds valid requests, into which tests insert hostile values. */
export class PlainRequests {
  constructor(
    private readonly app: App,
    private readonly admin: Person,
    private readonly tenant: Tenant,
  ) {}

  build(operation: InterfaceOperation): InjectedRequest {
    const { method, path, access, body } = operation;
    return {
      method: method.toUpperCase() as Method,
      url: createOperationUrl(path, this.tenant, { token: 'unknown' }),
      headers: { ...this.createHeaders(access), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(this.createBodies(operation)[0]) }),
    };
  }

  /** Returns headers with the most privileged credentials, so authorization never hides an error. */
  createHeaders(access: InterfaceOperation['access']): Record<string, string> {
    // Send each request from a new address, because the rate limit per address would hide errors in later requests.
    const address = { 'x-forwarded-for': new Person(this.app.nest).address };
    if (access === 'public') return address;
    if (access === 'session') return this.admin.headers(address);
    const credential = access === 'token' ? this.tenant.tokenValue : this.app.apiKey;
    return { ...address, authorization: `Bearer ${credential}` };
  }

  /** Returns a body with only the required fields, and one with all fields. The second one may be invalid. */
  createBodies({ id, body }: InterfaceOperation): [object, object] {
    const required: object = { ...VALID_BODIES[id], ...createRequestBody(id, this.tenant) };
    return [required, { ...(createSample(body!) as object), ...required }];
  }
}

/** Bodies that also pass the checks beyond the schema. Complements the bodies in the kit. */
const VALID_BODIES: Record<string, Json> = {
  recordVisits: { request_path: '/', request_method: 'GET', request_headers: {} },
  identifyAgents: { request_headers: {} },
  verifyAgent: { request_path: '/', request_headers: {} },
  generateRobotsTxt: { agent_types: ['Scraper'] },
  listUserAgentTokens: { agent_types: ['Scraper'] },
  signIn: { email: 'root@example.com', password: PASSWORD },
  setUp: { code: 'x', name: 'x', email: 'x@example.com', password: PASSWORD },
  resetPassword: { password: PASSWORD },
  addAgent: {
    token: 'Hostile',
    type: 'Scraper',
    operator: null,
    url: null,
    user_agent_patterns: ['hostile'],
    robots_token: null,
    verification: {},
  },
};
