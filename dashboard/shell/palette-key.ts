// Listens for the key that opens the palette.

/** Calls `open` for Ctrl K, and on a Mac for ⌘K, as long as the document lives. */
export function onPaletteKey(open: () => void): void {
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return
    event.preventDefault()
    open()
  })
}
