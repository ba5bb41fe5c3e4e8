// The one line that the widget ever writes to the console, and only with `debug`: where to look.

export function sayOnce(text: string): void {
  console.info(text)
}
