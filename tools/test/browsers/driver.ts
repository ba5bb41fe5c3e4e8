// What a scenario needs of a browser, whichever it is: real windows, real keys, real presses.

export interface BrowserWindow {
  goto(url: string): Promise<void>
  /** Runs in the page. The function sees nothing but its arguments. */
  evaluate<T, A extends unknown[]>(act: (...args: A) => T | Promise<T>, ...args: A): Promise<T>
  /** A press at this place of the view, as with a mouse. */
  clickAt(x: number, y: number): Promise<void>
  /** A key by its name in `KeyboardEvent.key`; `Shift+Tab` holds the first. */
  press(key: string): Promise<void>
  /** A PNG of what is in view. */
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

export interface TestBrowser {
  /** As it calls itself, with its version. */
  readonly version: string
  /** All windows of one browser share its storage. */
  openWindow(): Promise<BrowserWindow>
  close(): Promise<void>
}
