// Loads a part of the panel when it is first needed.

export class PanelPart<T> {
  readonly #import: () => Promise<T | undefined> | undefined
  readonly #onLoaded: () => void
  readonly #onFailed: (error: unknown) => void
  #isLoading = false
  /** Undefined until it is loaded. */
  value: T | undefined
  /** The last attempt failed. */
  hasFailed = false

  /** `onFailed` is given what was thrown, if anything was. */
  constructor(
    load: () => Promise<T | undefined> | undefined,
    onLoaded = (): void => {},
    onFailed: (error: unknown) => void = () => {},
  ) {
    this.#import = load
    this.#onLoaded = onLoaded
    this.#onFailed = onFailed
  }

  /** What could not be loaded is asked for again with the next call. */
  load(): void {
    if (this.value === undefined && !this.#isLoading) void this.#load()
  }

  async #load(): Promise<void> {
    let error: unknown
    this.#isLoading = true
    try {
      this.value = await this.#import()
    } catch (thrown) {
      error = thrown
    }
    this.#isLoading = false
    this.hasFailed = this.value === undefined
    if (this.hasFailed) this.#onFailed(error)
    else this.#onLoaded()
  }
}
