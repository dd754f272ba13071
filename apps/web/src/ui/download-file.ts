/** Saves a text as a file in the browser. */
export function downloadFile(name: string, text: string, mediaType = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // Give the browser time to start the download.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
