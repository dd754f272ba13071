import type { TestVisitOutcome } from '#libs/contracts';
import { REPORT_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './site-request.js';
import type { TestVisitState } from './test-visit.state.js';

interface Diagnosis {
  message: string;
  nextSteps: string[];
}

/**
 * Returns the diagnosis for a finished test visit, or null if the visit is still in progress.
 *
 * @param otherProject Name of the project that received the report, or null if the caller can't access it.
 */
export function diagnose(state: TestVisitState, otherProject: string | null = null): Diagnosis | null {
  return state.outcome === null ? null : DIAGNOSES[state.outcome](state, otherProject);
}

const DIAGNOSES: Record<TestVisitOutcome, (state: TestVisitState, otherProject: string | null) => Diagnosis> = {
  arrived: diagnoseArrival,
  not_reported: diagnoseMissingReport,
  report_refused: diagnoseRejectedReport,
  no_site_address: () => ({
    message: 'The project has no site address, so no request was sent.',
    nextSteps: ["Enter the site address in the project's settings."],
  }),
  name_not_resolved: ({ url, detail }) => ({
    message: `The host name ${getHost(url)} could not be resolved (${detail}).`,
    nextSteps: ["Check the project's site address for typos.", 'Check whether the host name has a DNS record.'],
  }),
  // The address isn't shown, so members can't explore the operator's network.
  address_refused: ({ url }) => ({
    message: `The request was not sent because ${getHost(url)} has no public address.`,
    nextSteps: [
      "Check the project's site address for typos.",
      'If the site is on your own network, ask the operator of this instance to set TEST_VISIT_ALLOW_PRIVATE=true.',
      'Otherwise, enter the address at which the site is reachable from the internet.',
    ],
  }),
  connection_refused: ({ url }) => ({
    message: `The connection failed because nothing is listening at ${getHost(url)}.`,
    nextSteps: ['Check that the site is running.', 'Check the port in the site address.'],
  }),
  tls_failed: ({ url, detail }) => ({
    message: `The TLS connection to ${getHost(url)} failed (${detail}).`,
    nextSteps: [
      "Fix the site's certificate. It must be valid, match this name, and include the intermediate certificates.",
      'If the site uses plain HTTP, enter an address that starts with http://.',
    ],
  }),
  timed_out: ({ url }) => ({
    message: `${getHost(url)} did not respond within ${REQUEST_TIMEOUT_MS / 1_000} s.`,
    nextSteps: [
      'Open the page in a browser to check whether the site is up.',
      'Check whether a firewall drops the requests. If so, allow requests from this instance.',
    ],
  }),
  unreachable: ({ url, detail }) => ({
    message: `${getHost(url)} could not be reached (${detail}).`,
    nextSteps: ["Check whether this instance's server can reach the site."],
  }),
  redirected_away: ({ url, detail }) => ({
    message: `${getHost(url)} redirects to another host (${detail}).`,
    nextSteps: ['If that is your site, enter it as the site address in the settings and test again.'],
  }),
  too_many_redirects: ({ url, detail }) => ({
    message: `${getHost(url)} redirects too many times. The last redirect was to ${detail}.`,
    nextSteps: ["Test a page that doesn't redirect."],
  }),
  reported_elsewhere: (_, otherProject) => ({
    message: `The site reported the visit, but to ${otherProject === null ? 'another project' : `the project “${otherProject}”`}.`,
    nextSteps: ["Use one of this project's tokens in the site's integration. The snippets on this page include one."],
  }),
  interrupted: () => ({
    message: 'The test was interrupted because the service failed or was restarted.',
    nextSteps: ['Send the test visit again.'],
  }),
};

function diagnoseArrival(state: TestVisitState): Diagnosis {
  const { message, nextSteps } = describeArrival(state);
  return { message, nextSteps: state.lacksAddress ? [...nextSteps, ADDRESS_STEP] : nextSteps };
}

const ADDRESS_STEP =
  'The report has no client address, so agents that are identified by their address cannot be verified. Send the ' +
  "connection's address as “client_address”, as the snippets on this page do.";

function describeArrival({ url, answer, report, lacking }: TestVisitState): Diagnosis {
  const { result, reason } = report!;
  const arrival = `The visit arrived ${formatDuration(report!.milliseconds)} after it was sent`;
  if (result === 'verified') {
    const isError = answer !== null && answer.status >= 400;
    const hint = `The site responded with ${answer?.status}, so agents get that response, too.`;
    return { message: `${arrival}, and was identified and verified.`, nextSteps: isError ? [hint] : [] };
  }
  const message = (why: string) => `${arrival}, but was not verified: ${why}`;
  if (lacking.length > 0) {
    return {
      message: message(
        `the report is missing the request header${lacking.length > 1 ? 's' : ''} ${lacking.join(', ')}.`,
      ),
      nextSteps: ["Configure the integration to report all request headers. Access logs don't contain them."],
    };
  }
  if (reason === 'authority_not_expected') {
    return {
      message: message(`${getHost(url)} is not one of the project's host names.`),
      nextSteps: ['Add it under “Host names” in the settings.'],
    };
  }
  if (reason === 'expired' || reason === 'created_in_future') {
    return {
      message: message('its signature was not valid at the time of the report.'),
      nextSteps: ["Compare the site's clock with this instance's clock, and check the report's `created` field."],
    };
  }
  if (reason === 'bad_signature') {
    return {
      message: message('the reported request differs from the signed request.'),
      nextSteps: [
        'Configure proxies to pass on the Host header and the path unchanged, e.g. “proxy_set_header Host $host;” in nginx.',
      ],
    };
  }
  return {
    message: message(reason === null ? 'it was not identified as the test agent.' : `${reason.replaceAll('_', ' ')}.`),
    nextSteps: ['Open the visit to see every step of the verification.'],
  };
}

function diagnoseMissingReport({ answer, hasUnknownReports }: TestVisitState): Diagnosis {
  const status = answer?.status ?? 0;
  const nextSteps = [
    ...(status === 401 || status === 403 || status === 429
      ? [`The site responded with ${status}. A firewall or bot protection in front of it may block agents.`]
      : status >= 400
        ? [`The site responded with ${status}. Check whether the integration reports failed requests.`]
        : []),
    'Check that the integration is installed, runs for this page, and was restarted after the last change.',
    'Check that it can reach this instance, and that it uses the address and token on this page.',
    ...(hasUnknownReports
      ? [
          'A report with an unknown token, perhaps from this site, was rejected during the test. Ask an administrator to check.',
        ]
      : []),
  ];
  return {
    message: `The site responded with ${status}, but did not report the visit within ${REPORT_TIMEOUT_MS / 1_000} s.`,
    nextSteps,
  };
}

function diagnoseRejectedReport({ refused }: TestVisitState): Diagnosis {
  const { status, detail, pointer, token_name: token } = refused!;
  if (status === 401 || status === 403) {
    return token === null
      ? {
          message: `The site sent a report with an unknown token (${status}).`,
          nextSteps: [
            "Use one of this project's tokens in the site's integration. The snippets on this page include one.",
          ],
        }
      : {
          message: `The site sent a report with the revoked token “${token}” (${status}).`,
          nextSteps: [
            "Use another one of this project's tokens in the site's integration. The snippets on this page include one.",
          ],
        };
  }
  const position = pointer === null || pointer === '' ? '' : ` at ${pointer}`;
  return {
    message: `The site sent a report, but it was rejected with ${status}${position}: ${detail.replace(/\.$/, '')}.`,
    nextSteps: ['Fix the report that the integration sends. The API reference describes every field.'],
  };
}

const getHost = (url: string | null): string => URL.parse(url ?? '')?.host ?? 'the site';

const formatDuration = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
