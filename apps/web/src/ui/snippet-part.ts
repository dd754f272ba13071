/** What sites reach this instance with. */
export interface Access {
  /** Without a slash at its end. */
  address: string;
  token: string;
}

/** Text to be copied to one place. */
export interface SnippetPart {
  /** Where it goes. */
  title: string;
  text: string;
}
