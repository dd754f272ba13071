import type { PolicyAction, PolicyException, PolicyRule, PolicyVisitors } from '#libs/contracts';

/** Form values of the conditions and the action of a rule or exception. Lists of names have one item per line. */
export type ConditionValues = {
  id: string;
  agent_tokens: string;
  operators: string;
  agent_types: string[];
  purposes: string[];
  networks: string;
  likely_automated: boolean;
  results: string[];
  paths: string;
  methods: string;
  hosts: string;
  kind: PolicyAction['kind'];
  requests_per_minute: number | string;
  price: string;
  url: string;
  status: string;
  location: string;
};

export type RuleValues = ConditionValues & {
  name: string;
  mode: PolicyRule['mode'];
  enforces_when_unreachable: boolean;
  exceptions: ConditionValues[];
};

const toLines = (items: readonly string[] = []): string => items.join('\n');

function toItems(lines: string): string[] | undefined {
  const items = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return items.length === 0 ? undefined : [...new Set(items)];
}

function toConditionValues({ id, visitors = {}, requests = {}, action }: PolicyException): ConditionValues {
  return {
    id,
    agent_tokens: toLines(visitors.agent_tokens),
    operators: toLines(visitors.operators),
    agent_types: visitors.agent_types ?? [],
    purposes: visitors.purposes ?? [],
    networks: toLines(visitors.networks),
    likely_automated: visitors.likely_automated ?? false,
    results: visitors.results ?? [],
    paths: toLines(requests.paths),
    methods: toLines(requests.methods),
    hosts: toLines(requests.hosts),
    kind: action.kind,
    requests_per_minute: action.kind === 'slow_down' ? action.requests_per_minute : 60,
    price: action.kind === 'charge' ? action.price : '',
    url: action.kind === 'charge' ? action.url : '',
    status: action.kind === 'redirect' ? String(action.status) : '308',
    location: action.kind === 'redirect' ? action.location : '/{path}.md',
  };
}

/** Returns values of a new exception, which allows requests. */
export const createException = (): ConditionValues =>
  toConditionValues({ id: crypto.randomUUID(), action: { kind: 'allow' } });

/** Returns form values. A new rule slows down in dry run. */
export function toRuleValues(rule: PolicyRule | null): RuleValues {
  const {
    name,
    mode,
    when_unreachable: whenUnreachable,
    exceptions = [],
    ...conditions
  } = rule ?? {
    id: crypto.randomUUID(),
    name: '',
    mode: 'dry_run',
    action: { kind: 'slow_down', requests_per_minute: 60 },
  };
  return {
    ...toConditionValues(conditions),
    name,
    mode,
    enforces_when_unreachable: whenUnreachable === 'enforce',
    exceptions: exceptions.map(toConditionValues),
  };
}

function toAction(values: ConditionValues): PolicyAction {
  switch (values.kind) {
    case 'slow_down':
      return { kind: 'slow_down', requests_per_minute: Number(values.requests_per_minute) };
    case 'charge':
      return { kind: 'charge', price: values.price.trim(), url: values.url.trim() };
    case 'redirect':
      return { kind: 'redirect', status: values.status === '301' ? 301 : 308, location: values.location.trim() };
    default:
      return { kind: values.kind };
  }
}

/** Removes undefined members and empty lists. Returns undefined if nothing is left. */
function compact<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } | undefined {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined && (value as []).length !== 0);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
}

function toException(values: ConditionValues): PolicyException {
  const visitors = compact({
    agent_tokens: toItems(values.agent_tokens),
    operators: toItems(values.operators),
    agent_types: values.agent_types,
    purposes: values.purposes,
    networks: toItems(values.networks),
    likely_automated: values.likely_automated || undefined,
    results: values.results,
  }) as PolicyVisitors | undefined;
  const requests = compact({
    paths: toItems(values.paths),
    methods: toItems(values.methods.toUpperCase()),
    hosts: toItems(values.hosts.toLowerCase()),
  });
  return {
    id: values.id,
    ...(visitors !== undefined && { visitors }),
    ...(requests !== undefined && { requests }),
    action: toAction(values),
  };
}

export function toRule({ name, mode, exceptions, ...values }: RuleValues): PolicyRule {
  return {
    ...toException(values),
    name: name.trim(),
    mode,
    ...(values.enforces_when_unreachable && { when_unreachable: 'enforce' }),
    ...(exceptions.length > 0 && { exceptions: exceptions.map(toException) }),
  };
}

const PATH = /^[/*]/;
/** Path on the same host. Browsers treat `//` and `/\` as the start of another host. */
const isLocalPath = (path: string): boolean => path.startsWith('/') && path[1] !== '/' && path[1] !== '\\';

/** Returns error messages by field, with the prefix of the field names. */
function validateConditions(values: ConditionValues, prefix: string): Record<string, string> {
  const errors: Record<string, string> = {};
  if ((toItems(values.paths) ?? []).some((path) => !PATH.test(path)))
    errors[`${prefix}paths`] = 'Start each path with / or *.';
  const limit = Number(values.requests_per_minute);
  if (values.kind === 'slow_down' && !(Number.isInteger(limit) && limit >= 1 && limit <= 100_000))
    errors[`${prefix}requests_per_minute`] = 'Enter a whole number from 1 to 100,000.';
  if (values.kind === 'charge' && values.price.trim() === '') errors[`${prefix}price`] = 'Enter a price.';
  if (values.kind === 'charge' && !(/^https?:\/\//.test(values.url.trim()) && URL.canParse(values.url.trim())))
    errors[`${prefix}url`] = 'Enter an http or https URL.';
  const location = values.location.trim();
  if (values.kind === 'redirect' && !isLocalPath(location))
    errors[`${prefix}location`] = 'Enter a path on the same host, such as /{path}.md.';
  else if (values.kind === 'redirect' && location === '/{path}')
    errors[`${prefix}location`] = 'Enter another path than the requested one.';
  return errors;
}

/** Validates a rule that only has an agent and an action. */
export const validateException = (values: RuleValues): Record<string, string> => ({
  ...validateConditions(values, ''),
  ...(toItems(values.agent_tokens)?.length !== 1 && { agent_tokens: 'Enter an agent, such as GPTBot.' }),
});

export function validateRule(values: RuleValues): Record<string, string> {
  const errors = validateConditions(values, '');
  if (values.name.trim() === '') errors['name'] = 'Enter a name.';
  for (const [index, exception] of values.exceptions.entries()) {
    const prefix = `exceptions.${index}.`;
    Object.assign(errors, validateConditions(exception, prefix));
    const { visitors, requests } = toException(exception);
    if (visitors === undefined && requests === undefined)
      errors[`${prefix}paths`] = 'Enter paths or choose visitors. Otherwise, the exception replaces the rule.';
  }
  return errors;
}
