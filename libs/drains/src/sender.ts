export interface Destination {
  /** URL of this instance, without a trailing slash. */
  address: string;
  token: string;
}

interface GuidePart {
  /** Label that names the field or file for the value. */
  title: string;
  text: string;
}

type SenderSetting = 'allows_token_in_url' | 'vercel_secret' | 'vercel_verify' | 'fastly_service_ids' | 'mapping';

export interface SenderGuide {
  /** Introductory text: the data sent, and where to configure it in the sender's console. */
  lead: string;
  /** Returns the values to enter, in the order of the sender's setup form. */
  parts: (destination: Destination) => readonly GuidePart[];
  settings: readonly SenderSetting[];
  /** True if the sender runs on the internet and only accepts https URLs as destinations. */
  isRemote: boolean;
  verifiedBy: string;
  lacks: string;
}

export interface SampleRequest {
  name: string;
  headers: Readonly<Record<string, string>>;
  /** Query string with the leading question mark. Default: none. */
  query?: string;
  body: string;
  /** Compression to apply to the body. Default: none. */
  encoding?: 'gzip' | 'zstd';
}

export interface SampleOptions {
  token: string;
  now: Date;
  /** True if the caller signs the requests according to {@link DrainSender.signature}. */
  isSigned: boolean;
}

/** JSON keys of the request fields in a log line. */
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

export interface SenderResponse {
  /** Default: the content type of the default response. */
  contentType?: string;
  body: string;
}

/**
 * A log sender: the authentication, format and responses of its requests, and its setup guide. Lines can be in any
 * supported log format.
 */
export interface DrainSender {
  /** Last path segment of `/drains/{source}`. */
  name: string;
  label: string;
  /** Envelope format around the log lines. By default, the body contains lines, a JSON array or a single object. */
  wrapping?: 'firehose' | 'otlp';
  /** Keys to try before the supported log formats. `project` stands for the field mapping in the project's settings. */
  keys?: FieldKeys | 'project';
  /** Keys to try after the supported log formats. */
  fallbackKeys?: FieldKeys;
  /** Header for the access token, for senders that can't set Authorization. */
  tokenHeader?: string;
  /** Returns true for the test line that the sender posts to check a destination. */
  isTest?: (line: string) => boolean;
  /**
   * Header that contains a hex-encoded HMAC of the body. Required if the project's settings contain the signing secret.
   */
  signature?: { header: string; algorithm: 'sha1' | 'sha256'; secret: 'vercelSecret' };
  /**
   * Header that every response includes to prove ownership of the endpoint. The project's settings provide its value.
   */
  verification?: { header: string; value: 'vercelVerify' };
  /**
   * Returns the response to an accepted request, or null to send the default response, which is the line counts as
   * JSON.
   */
  answer?: (headers: Headers) => SenderResponse | null;
  /** Returns the response to a rejected request. Default: a problem document. */
  refusal?: (headers: Headers, message: string) => SenderResponse;
  /** Returns sample requests for a page and a static file. Used by `drains test` and by tests. */
  sample: (options: SampleOptions) => readonly SampleRequest[];
  guide: SenderGuide;
}
