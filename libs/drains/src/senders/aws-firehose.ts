import { VERIFIED_BY_SIGNATURE, toDrainUrl } from '../guide-text.js';
import { JSON_HEADERS, createSampleLines } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';
import { createLogpushLine } from './cloudflare-logpush.js';

/** Accepted format for Firehose request IDs. The response echoes the ID. */
const REQUEST_ID = /^[\w.:+/=-]{1,256}$/;

/**
 * Returns the response body that Firehose requires. Firehose treats any other body as a failure
 * (docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html).
 */
function toReceipt({ 'x-amz-firehose-request-id': id }: Readonly<Record<string, unknown>>): object {
  return { requestId: typeof id === 'string' && REQUEST_ID.test(id) ? id : '', timestamp: Date.now() };
}

export const awsFirehose = {
  name: 'aws-firehose',
  label: 'Amazon',
  wrapping: 'firehose',
  tokenHeader: 'X-Amz-Firehose-Access-Key',
  answer: (headers) => ({ body: JSON.stringify(toReceipt(headers)) }),
  refusal: (headers, message) => ({
    contentType: 'application/json',
    body: JSON.stringify({ ...toReceipt(headers), errorMessage: message }),
  }),
  sample: ({ token, now }) => {
    const requestId = crypto.randomUUID();
    const records = createSampleLines((path) => createLogpushLine(now, path)).map((line) => ({
      data: btoa(`${JSON.stringify(line)}\n`),
    }));
    return [
      {
        name: 'records, access key',
        headers: { ...JSON_HEADERS, 'x-amz-firehose-access-key': token, 'x-amz-firehose-request-id': requestId },
        body: JSON.stringify({ requestId, timestamp: now.getTime(), records }),
      },
    ];
  },
  guide: {
    lead: 'Data Firehose forwards logs from AWS WAF, CloudFront (standard logging v2, as JSON) or CloudWatch. In the AWS console, go to Amazon Data Firehose → Create Firehose stream and choose HTTP endpoint as the destination. Firehose only sends to port 443.',
    parts: (destination) => [
      { title: 'HTTP endpoint URL, with GZIP content encoding', text: toDrainUrl(destination, 'aws-firehose') },
      { title: 'Access key', text: destination.token },
    ],
    settings: [],
    isRemote: true,
    verifiedBy: `${VERIFIED_BY_SIGNATURE}. Signatures require AWS WAF logs, which include all headers. CloudFront logs only include addresses.`,
    lacks:
      'In AWS WAF logs: durations, and the status of allowed requests. In CloudFront logs: all headers except User-Agent, Referer and X-Forwarded-For.',
  },
} as const satisfies DrainSender;
