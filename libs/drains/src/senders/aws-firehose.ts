import { BY_SIGNATURE, urlOf } from '../guide-text.js';
import { JSON_TYPE, sampleLines } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';
import { logpushLine } from './cloudflare-logpush.js';

/** Accepted format of Firehose's request ID, which the response echoes. */
const REQUEST_ID = /^[\w.:+/=-]{1,256}$/;

/**
 * Returns the body that Firehose requires in responses. It treats any other body as a failure without a reason
 * (docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html).
 */
function receiptOf({ 'x-amz-firehose-request-id': id }: Readonly<Record<string, unknown>>): object {
  return { requestId: typeof id === 'string' && REQUEST_ID.test(id) ? id : '', timestamp: Date.now() };
}

export const awsFirehose = {
  name: 'aws-firehose',
  label: 'Amazon',
  wrapping: 'firehose',
  tokenHeader: 'X-Amz-Firehose-Access-Key',
  answer: (headers) => ({ body: JSON.stringify(receiptOf(headers)) }),
  refusal: (headers, message) => ({
    contentType: 'application/json',
    body: JSON.stringify({ ...receiptOf(headers), errorMessage: message }),
  }),
  sample: ({ token, now }) => {
    const requestId = crypto.randomUUID();
    const records = sampleLines((path) => logpushLine(now, path)).map((line) => ({
      data: btoa(`${JSON.stringify(line)}\n`),
    }));
    return [
      {
        name: 'records, with an access key',
        headers: { ...JSON_TYPE, 'x-amz-firehose-access-key': token, 'x-amz-firehose-request-id': requestId },
        body: JSON.stringify({ requestId, timestamp: now.getTime(), records }),
      },
    ];
  },
  guide: {
    lead: 'Data Firehose sends what AWS WAF, CloudFront (standard log v2, as JSON) or CloudWatch writes to it. In the AWS console: Amazon Data Firehose → Create Firehose stream → destination HTTP endpoint. It only sends to port 443.',
    parts: (destination) => [
      { title: 'HTTP endpoint URL, with the content encoding GZIP', text: urlOf(destination, 'aws-firehose') },
      { title: 'Access key', text: destination.token },
    ],
    settings: [],
    isRemote: true,
    verifiedBy: `${BY_SIGNATURE} with the log of AWS WAF, which has all headers; CloudFront’s has addresses only.`,
    lacks:
      'AWS WAF: durations, and the status of requests that it lets through. CloudFront: headers but the user agent, the referer and X-Forwarded-For.',
  },
} as const satisfies DrainSender;
