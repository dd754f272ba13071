/** URL and access token that sites use to report visits to this instance. */
export interface Access {
  /** Instance URL without a trailing slash. */
  address: string;
  token: string;
}

/** Text for users to copy into one place. */
export interface SnippetPart {
  /** Explains where to put the text. */
  title: string;
  text: string;
}
