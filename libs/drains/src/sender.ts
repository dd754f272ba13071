export interface Destination {
  /** URL of this instance, without a trailing slash. */
  address: string;
  token: string;
}

/** Value to copy into the sender's configuration. */
interface GuidePart {
  /** Label: the field or file that the value belongs in. */
  title: string;
  text: string;
}

type SenderSetting = 'allows_token_in_url' | 'vercel_secret' | 'vercel_verify' | 'fastly_service_ids' | 'mapping';

export interface SenderGuide {
  /** Introduction: the data that is sent, and where to configure it in the sender's console. */
  lead: string;
  /** Returns the values to enter, in the order in which the sender asks for them. */
  parts: (destination: Destination) => readonly GuidePart[];
  settings: readonly SenderSetting[];
  /** True if the sender runs on the internet and only posts to https URLs. */
  isRemote: boolean;
  verifiedBy: string;
  lacks: string;
}

export interface SampleRequest {
  name: string;
  headers: Readonly<Record<string, string>>;
  /** Query string, including the question mark. Default: none. */
  query?: string;
  body: string;
  /** Compression of the body. Default: none. */
  encoding?: 'gzip' | 'zstd';
}

export interface SampleOptions {
  token: string;
  now: Date;
  /** True if the caller signs the requests as described by {@link DrainSender.signature}. */
  isSigned: boolean;
}

/** JSON key that holds each field of a request. */
export interface FieldKeys {
  time: string;
  client: string;
  path: string;
  method?: string;
  status?: string;
  size?: string;
  referer?: string;
  user_agent?: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface SenderAnswer {
  /** Default: the content type of the standard response. */
  contentType?: string;
  body: string;
}

/**
 * A log sender: how its requests are authenticated, parsed and answered, and how it is set up. Lines can be in any
 * supported log format.
 */
export interface DrainSender {
  /** Last segment of `/drains/{source}`. */
  name: string;
  label: string;
  /** Envelope around the log lines. Default: none. The body is then lines, a JSON array or a single object. */
  wrapping?: 'firehose' | 'otlp';
  /** Keys to try before the known log formats. `project` uses the project's field mapping. */
  keys?: FieldKeys | 'project';
  /** Keys to try after the known log formats. */
  fallbackKeys?: FieldKeys;
  /** Header that carries the access token. Set for senders that can't send Authorization. */
  tokenHeader?: string;
  /** Returns true for the line that the sender posts to test a destination. */
  isTest?: (line: string) => boolean;
  /** Hex-encoded HMAC of the body. Required if the project has set the secret. */
  signature?: { header: string; algorithm: 'sha1' | 'sha256'; secret: 'vercelSecret' };
  /** Header set on every response to prove ownership of the endpoint. The value comes from the project. */
  verification?: { header: string; value: 'vercelVerify' };
  /** Returns the response to an accepted request, or null for the standard one: line counts as JSON. */
  answer?: (headers: Headers) => SenderAnswer | null;
  /** Returns the response to a rejected request. Default: a problem document. */
  refusal?: (headers: Headers, message: string) => SenderAnswer;
  /** Returns sample requests with a page and a static file, for `drains test` and the tests. */
  sample: (options: SampleOptions) => readonly SampleRequest[];
  guide: SenderGuide;
}
