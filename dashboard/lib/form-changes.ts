// Compares the fields of a form with what they were.

/** Values by field name. */
export type FormValues = ReadonlyMap<string, string>

export function valuesOf(form: HTMLFormElement): FormValues {
  const data = new FormData(form)
  return new Map([...new Set(data.keys())].map((name) => [name, data.getAll(name).join('\n')]))
}

/** @returns The labels of the fields that differ, each once. */
export function listChanges(form: HTMLFormElement, before: FormValues): string[] {
  const now = valuesOf(form)
  const names = [...new Set([...before.keys(), ...now.keys()])]
  const differing = names.filter((name) => (before.get(name) ?? '') !== (now.get(name) ?? ''))
  return [...new Set(differing.map((name) => labelOf(form, name)))]
}

function labelOf(form: HTMLFormElement, name: string): string {
  const found = form.elements.namedItem(name)
  const field = found instanceof RadioNodeList ? found[0] : found
  const label =
    field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement
      ? field.labels?.[0]
      : undefined
  // The label of a tick contains its hint too, in an element.
  const nodes = [...((label?.querySelector('span') ?? label)?.childNodes ?? [])]
  const text = nodes.find((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())?.textContent
  return text?.trim() ?? name
}
