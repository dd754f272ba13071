/** Address and access token that a sender is configured with. */
export interface Destination {
  /** Address of this instance, without a slash at its end. */
  address: string;
  token: string;
}

/** Text to copy to one place. */
interface GuidePart {
  /** Place where the text goes. */
  title: string;
  text: string;
}

/** Project settings that a sender can need. */
type SenderSetting = 'allows_token_in_url' | 'vercel_secret' | 'vercel_verify' | 'fastly_service_ids' | 'mapping';

/** Setup instructions in the dashboard. */
export interface SenderGuide {
  /** Data that is sent, and the page of the sender's console where this is configured. */
  lead: string;
  /** Values to enter, in the order in which the sender asks for them. */
  parts: (destination: Destination) => readonly GuidePart[];
  settings: readonly SenderSetting[];
  /** True if it sends over the internet, to https only. */
  isRemote: boolean;
  verifiedBy: string;
  lacks: string;
}

/** Request that a sender makes. */
export interface SampleRequest {
  /** Description for people. */
  name: string;
  headers: Readonly<Record<string, string>>;
  /** Query with its question mark. Default: none. */
  query?: string;
  body: string;
  /** Compression of the body. Default: none. */
  encoding?: 'gzip' | 'zstd';
}

export interface SampleOptions {
  token: string;
  now: Date;
  /** True if the requests will be signed as the sender's {@link DrainSender.signature} describes. */
  isSigned: boolean;
}

/** Keys of an object for the fields of a request, by the field. */
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

/** Response in the sender's own form. */
export interface SenderAnswer {
  /** Default: the type of the usual response. */
  contentType?: string;
  body: string;
}

/** Everything that distinguishes one sender of logs from the others. The lines may be of any known log format. */
export interface DrainSender {
  /** Last segment of `/drains/{source}`. */
  name: string;
  /** Name in the dashboard. */
  label: string;
  /** Format of the document that every body is. Default: lines, an array or one object. */
  wrapping?: 'firehose' | 'otlp';
  /** Keys of objects in no known log format, tried first. `project`: the project's own. */
  keys?: FieldKeys | 'project';
  /** Keys that are tried last. */
  fallbackKeys?: FieldKeys;
  /** Header with the access token, for a sender that can't set Authorization. */
  tokenHeader?: string;
  /** Recognizes the line that the sender posts to test a destination. */
  isTest?: (line: string) => boolean;
  /** HMAC of the body, in hex, required if the project has set the secret. */
  signature?: { header: string; algorithm: 'sha1' | 'sha256'; secret: 'vercelSecret' };
  /** Header of every response that echoes a value of the project. */
  verification?: { header: string; value: 'vercelVerify' };
  /** Returns the response to an accepted request, or null for the usual one: counts of lines as JSON. */
  answer?: (headers: Headers) => SenderAnswer | null;
  /** Returns the response to a rejected request. Default: a problem document. */
  refusal?: (headers: Headers, message: string) => SenderAnswer;
  /** Returns what the sender posts for a page and a static file, for `drains test` and the tests. */
  sample: (options: SampleOptions) => readonly SampleRequest[];
  guide: SenderGuide;
}
