import type { InterfaceOperation } from '#libs/contracts';
import type { App, Json } from '../kit/app.js';
import type { Request } from '../kit/beginning.js';
import { Person, type Method } from '../kit/person.js';
import { bodyOf, PASSWORD, urlOf, type Tenant } from '../kit/tenant.js';
import { sampleOf } from './samples.js';

/** Valid requests, as a base for hostile values. */
export class PlainRequests {
  constructor(
    private readonly app: App,
    private readonly admin: Person,
    private readonly tenant: Tenant,
  ) {}

  of(operation: InterfaceOperation): Request {
    const { method, path, access, body } = operation;
    return {
      method: method.toUpperCase() as Method,
      url: urlOf(path, this.tenant, { token: 'unknown' }),
      headers: { ...this.headersOf(access), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(this.bodiesOf(operation)[0]) }),
    };
  }

  /** Returns the most privileged credentials, so that requests get as far as possible. */
  headersOf(access: InterfaceOperation['access']): Record<string, string> {
    // Attempts are limited per address, and the limit would hide later errors.
    const address = { 'x-forwarded-for': new Person(this.app.nest).address };
    if (access === 'public') return address;
    if (access === 'session') return this.admin.headers(address);
    const credential = access === 'token' ? this.tenant.tokenValue : this.app.apiKey;
    return { ...address, authorization: `Bearer ${credential}` };
  }

  /** Returns a body with the required fields, and one with all fields. The combination of all fields may be invalid. */
  bodiesOf({ id, body }: InterfaceOperation): [object, object] {
    const required: object = { ...VALID_BODIES[id], ...bodyOf(id, this.tenant) };
    return [required, { ...(sampleOf(body!) as object), ...required }];
  }
}

/** Valid bodies for checks beyond the schema, in addition to those in the kit. */
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
