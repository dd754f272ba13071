/** Address and access token that sites use to send visits to this instance. */
export interface Access {
  /** Without a trailing slash. */
  address: string;
  token: string;
}

/** Text to copy to one place. */
export interface SnippetPart {
  /** Describes where the text goes. */
  title: string;
  text: string;
}
