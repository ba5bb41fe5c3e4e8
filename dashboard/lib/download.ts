// Offers a file that the page has made, as a download of the browser.

/** @param name The file's name for the person. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read by then; the memory is free again.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
