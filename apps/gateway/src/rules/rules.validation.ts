import {
  RobotsTxtRequestSchema,
  UserAgentTokenListRequestSchema,
  validator,
  type RobotsTxtRequest,
  type UserAgentTokenListRequest,
} from '#libs/contracts';
import { ProblemError } from '#libs/platform';

const robotsTxt = validator(RobotsTxtRequestSchema);
const userAgentTokenList = validator(UserAgentTokenListRequestSchema);

/** @throws ProblemError 422 naming what doesn't fit. */
export function robotsTxtRequest(body: unknown): RobotsTxtRequest {
  if (robotsTxt.is(body)) return withoutUnknown(RobotsTxtRequestSchema.properties, body);
  const errors = robotsTxt.faults(body);
  throw new ProblemError('invalid-body', 'The body is no request for robots.txt rules.', { errors });
}

/** @throws ProblemError 422 naming what doesn't fit. */
export function userAgentTokenListRequest(body: unknown): UserAgentTokenListRequest {
  if (userAgentTokenList.is(body)) return withoutUnknown(UserAgentTokenListRequestSchema.properties, body);
  const errors = userAgentTokenList.faults(body);
  throw new ProblemError('invalid-body', 'The body is no request for a list of user agent tokens.', { errors });
}

/** Fields that nobody knows are no fault, but would make equal requests differ. */
function withoutUnknown<T extends object>(properties: object, body: T): T {
  const fields = Object.keys(properties).filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(fields.map((name) => [name, body[name as keyof T]])) as T;
}
