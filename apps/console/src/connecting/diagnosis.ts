import type { TestVisitOutcome } from '#libs/contracts';
import { REPORT_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './site-request.js';
import type { TestVisitState } from './test-visit.state.js';

interface Diagnosis {
  message: string;
  nextSteps: string[];
}

/**
 * Returns the diagnosis of a finished test visit, or null if it is still running.
 *
 * @param otherProject name of the project that received the report, or null if the reader can't access it.
 */
export function diagnosis(state: TestVisitState, otherProject: string | null = null): Diagnosis | null {
  return state.outcome === null ? null : DIAGNOSES[state.outcome](state, otherProject);
}

const DIAGNOSES: Record<TestVisitOutcome, (state: TestVisitState, otherProject: string | null) => Diagnosis> = {
  arrived,
  not_reported: notReported,
  report_refused: reportRefused,
  no_site_address: () => ({
    message: 'The project has no site address, so there is nothing to request.',
    nextSteps: ['Enter the site address in the settings of the project.'],
  }),
  name_not_resolved: ({ url, detail }) => ({
    message: `The name ${hostOf(url)} has no address (${detail}).`,
    nextSteps: ["Check the project's site address for a typo.", 'Check whether the name is in DNS yet.'],
  }),
  // Leaves out the address, so members can't explore the operator's network.
  address_refused: ({ url }) => ({
    message: `The request was not sent: ${hostOf(url)} is not at a public address.`,
    nextSteps: [
      "Check the project's site address for a typo.",
      'For a site on your own network, the operator of this instance can set TEST_VISIT_ALLOW_PRIVATE=true.',
      'Otherwise enter the address under which the site is reached from outside.',
    ],
  }),
  connection_refused: ({ url }) => ({
    message: `Nothing listens at ${hostOf(url)}: the connection was refused.`,
    nextSteps: ['Start the site.', 'Check the port in the site address.'],
  }),
  tls_failed: ({ url, detail }) => ({
    message: `No secure connection to ${hostOf(url)}: TLS failed (${detail}).`,
    nextSteps: [
      "Fix the site's certificate. It must be valid, match this name, and include the intermediate certificates.",
      'If the site speaks plain HTTP, its address starts with http://.',
    ],
  }),
  timed_out: ({ url }) => ({
    message: `${hostOf(url)} did not answer within ${REQUEST_TIMEOUT_MS / 1_000} s.`,
    nextSteps: [
      'Open the page in a browser, to see whether the site is up.',
      'A firewall that drops packets looks the same: let this instance through.',
    ],
  }),
  unreachable: ({ url, detail }) => ({
    message: `${hostOf(url)} could not be reached (${detail}).`,
    nextSteps: ['Check whether the site can be reached from the server of this instance.'],
  }),
  redirected_away: ({ url, detail }) => ({
    message: `${hostOf(url)} redirects to another host: ${detail}.`,
    nextSteps: ['If that is the site, make it the site address in the settings, and test again.'],
  }),
  too_many_redirects: ({ url, detail }) => ({
    message: `${hostOf(url)} redirects too many times, last to ${detail}.`,
    nextSteps: ['Test a page that does not redirect.'],
  }),
  reported_elsewhere: (_, otherProject) => ({
    message: `The site reported the visit, but to ${otherProject === null ? 'another project' : `the project “${otherProject}”`}.`,
    nextSteps: ["Use a token of this project in the site's integration. The snippets on this page include it."],
  }),
  interrupted: () => ({
    message: 'The test was interrupted: the service was restarted, or failed, meanwhile.',
    nextSteps: ['Send the test visit again.'],
  }),
};

function arrived(state: TestVisitState): Diagnosis {
  const { message, nextSteps } = arrivalOf(state);
  return { message, nextSteps: state.lacksAddress ? [...nextSteps, ADDRESS_STEP] : nextSteps };
}

const ADDRESS_STEP =
  'The report has no client address, so agents that prove themselves by their address cannot be verified. Send the ' +
  'address of the connection as “client_address”, as the snippets on this page do.';

function arrivalOf({ url, answer, report, lacking }: TestVisitState): Diagnosis {
  const { result, reason } = report!;
  const arrival = `The visit arrived ${inSeconds(report!.milliseconds)} after it was sent`;
  if (result === 'verified') {
    const isError = answer !== null && answer.status >= 400;
    const hint = `The site answered ${answer?.status}: agents get that, too.`;
    return { message: `${arrival}, and is identified and verified.`, nextSteps: isError ? [hint] : [] };
  }
  const message = (why: string) => `${arrival}, but is not verified: ${why}`;
  if (lacking.length > 0) {
    return {
      message: message(`the report lacks the request header${lacking.length > 1 ? 's' : ''} ${lacking.join(', ')}.`),
      nextSteps: ['Let the integration pass all headers of the request; in access logs there are none of them.'],
    };
  }
  if (reason === 'authority_not_expected') {
    return {
      message: message(`${hostOf(url)} is not among the project's host names.`),
      nextSteps: ['Add it in the settings under “Host names”.'],
    };
  }
  if (reason === 'expired' || reason === 'created_in_future') {
    return {
      message: message('by the time of the report, its signature is not valid.'),
      nextSteps: ["Compare the clocks of the site and of this instance, and look at the report's field `created`."],
    };
  }
  if (reason === 'bad_signature') {
    return {
      message: message('what was reported is not what was signed.'),
      nextSteps: ['Let proxies pass on Host and the path as they came, e.g. “proxy_set_header Host $host;” in nginx.'],
    };
  }
  return {
    message: message(reason === null ? 'it is not known as the test agent.' : `${reason.replaceAll('_', ' ')}.`),
    nextSteps: ['Open the visit: it shows every step of the verification.'],
  };
}

function notReported({ answer, hasUnknownReports }: TestVisitState): Diagnosis {
  const status = answer?.status ?? 0;
  const nextSteps = [
    ...(status === 401 || status === 403 || status === 429
      ? [`The site answered ${status}: a firewall or bot protection before it may keep agents from the integration.`]
      : status >= 400
        ? [`The site answered ${status}: check whether the integration sees requests that fail.`]
        : []),
    'Check that the integration is installed, runs for this page, and was restarted since.',
    'Check that it can reach this instance, and that it uses the address and token on this page.',
    ...(hasUnknownReports
      ? ['A report with an unknown token was refused meanwhile, perhaps from this site. Ask an administrator to check.']
      : []),
  ];
  return {
    message: `The site answered ${status}, but nothing was reported within ${REPORT_TIMEOUT_MS / 1_000} s.`,
    nextSteps,
  };
}

function reportRefused({ refused }: TestVisitState): Diagnosis {
  const { status, detail, pointer, token_name: token } = refused!;
  if (status === 401 || status === 403) {
    return token === null
      ? {
          message: `The site reported, but with an unknown token (${status}).`,
          nextSteps: ["Use a token of this project in the site's integration. The snippets on this page include it."],
        }
      : {
          message: `The site reported, but with a revoked token, “${token}” (${status}).`,
          nextSteps: [
            "Use another token of this project in the site's integration. The snippets on this page include it.",
          ],
        };
  }
  const position = pointer === null || pointer === '' ? '' : ` at ${pointer}`;
  return {
    message: `The site reported, but the report was refused with ${status}${position}: ${detail.replace(/\.$/, '')}.`,
    nextSteps: ['Fix what the integration sends. The API reference describes every field.'],
  };
}

const hostOf = (url: string | null): string => URL.parse(url ?? '')?.host ?? 'the site';

const inSeconds = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
