// Templates of the panel: HTML in a tagged string, drawn into the page and drawn over when values change (decision 0181). No HTML string ever reaches the browser's parser: elements are made one by one.
//   html`<p class=${look} ?hidden=${isOff} .value=${text} @click=${act}>${child}</p>`

/** Draws nothing; as the value of an attribute, leaves it out. */
export const nothing = Symbol('nothing')

export interface TemplateResult {
  strings: TemplateStringsArray
  values: unknown[]
}

/** A child may be text, a node, a template, or an array of these. Tags without content end in `/>`. */
export const html = (strings: TemplateStringsArray, ...values: unknown[]): TemplateResult => ({ strings, values })

/** Draws into the container, after what is there; again, only what has changed. */
export function render(value: unknown, container: Element | DocumentFragment): void {
  let draw = drawn.get(container)
  if (draw === undefined) {
    draw = createHole(container)
    drawn.set(container, draw)
  }
  draw(value)
}

/** Shows a value, and remembers what it showed. */
type Draw = (value: unknown) => void
type Parent = Element | DocumentFragment
/** Text, a hole for a child, or an element. */
type Piece = string | undefined | { tag: string; attributes: [name: string, text: string[]][]; pieces: Piece[] }

const HOLE = '\0'
const SVG = 'http://www.w3.org/2000/svg'
const drawn = new WeakMap<Parent, Draw>()
const templates = new WeakMap<TemplateStringsArray, Piece[]>()

const TOKEN = /<\/([\w-]+)\s*>|<([\w-]+)((?:\s+[^\s=>]+(?:=(?:"[^"]*"|[^\s">/]+))?)*?)\s*(\/?)>|([^<\0]+)|\0|</g
const ATTRIBUTE = /([^\s=]+)(?:="([^"]*)"|=(\S+))?/g

/** White space with a line break between two tags is the source's, not the page's. */
const isLayout = (text: string): boolean => /^\s*\n\s*$/.test(text)

function parse(strings: TemplateStringsArray): Piece[] {
  const root: Piece[] = []
  const open: [tag: string, pieces: Piece[]][] = [['', root]]
  for (const [token, closed, tag, attributes = '', isEmpty, text] of strings.join(HOLE).matchAll(TOKEN)) {
    const [inner, pieces] = open.at(-1) as (typeof open)[number]
    if (tag !== undefined) {
      const found = [...attributes.matchAll(ATTRIBUTE)]
      const made: Piece = {
        tag,
        attributes: found.map(([, name = '', quoted, bare]) => [name, (quoted ?? bare ?? '').split(HOLE)]),
        pieces: [],
      }
      pieces.push(made)
      if (!isEmpty) open.push([tag, made.pieces])
    } else if (token === HOLE) pieces.push(undefined)
    else if (text !== undefined) isLayout(text) || pieces.push(text)
    else if (closed === inner) open.pop()
    else throw new Error(`${token} within <${inner}>`)
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.[0]}> is not closed`)
  return root
}

/** Makes the elements, and answers what draws all values of the template. */
function build(pieces: Piece[], root: Parent): (values: unknown[]) => void {
  /** In the order of the values, of which an attribute may take several. */
  const draws: [takes: number, draw: (values: unknown[]) => void][] = []
  const make = (piece: Piece, parent: Parent): void => {
    if (typeof piece === 'string') parent.append(piece)
    else if (piece === undefined) {
      const draw = createHole(parent)
      draws.push([1, ([value]) => draw(value)])
    } else {
      const isSvg = piece.tag === 'svg' || (parent as Element).namespaceURI === SVG
      const made = isSvg ? document.createElementNS(SVG, piece.tag) : document.createElement(piece.tag)
      for (const [name, text] of piece.attributes) {
        if (text.length < 2) made.setAttribute(name, text.join(''))
        else draws.push([text.length - 1, createAttribute(made, name, text)])
      }
      for (const child of piece.pieces) make(child, made)
      parent.append(made)
    }
  }
  for (const piece of pieces) make(piece, root)
  return (values) => {
    let at = 0
    for (const [takes, draw] of draws) {
      draw(values.slice(at, at + takes))
      at += takes
    }
  }
}

const isEmpty = (value: unknown): boolean => value === nothing || value === null || value === undefined

function createAttribute(target: Element, name: string, text: string[]): (values: unknown[]) => void {
  const rest = name.slice(1)
  let last: unknown
  if (name[0] === '@') {
    target.addEventListener(rest, (event) => (last as (event: Event) => void)(event))
    return ([act]) => {
      last = act
    }
  }
  if (name[0] === '?') return ([isSo]) => void target.toggleAttribute(rest, Boolean(isSo))
  // Users change properties too: what counts is what is there.
  if (name[0] === '.')
    return ([value]) => void (Reflect.get(target, rest) === value || Reflect.set(target, rest, value))
  return (values) => {
    const next =
      isEmpty(values[0]) && text.join('') === '' ? nothing : text.reduce((all, part, at) => all + values[at - 1] + part)
    if (next === last) return
    last = next
    if (next === nothing) target.removeAttribute(name)
    else target.setAttribute(name, String(next))
  }
}

/** A place for a child. Text stands in its end, all else between the two. */
function createHole(parent: Parent): Draw {
  // What stood there before stays there. An element's first child needs no mark before it, a fragment's does: it will be moved.
  const start = parent.lastChild ?? (parent instanceof Element ? null : parent.appendChild(new Text()))
  const end = parent.appendChild(new Text())
  let shown: unknown
  /** Of the template or the array that is shown. */
  let strings: TemplateStringsArray | undefined
  let fill: ((values: unknown[]) => void) | undefined
  let items: Draw[] | undefined

  const clear = (): void => {
    while (end.previousSibling !== start) end.previousSibling?.remove()
    end.data = ''
    strings = fill = items = undefined
  }
  const put = (make: (into: DocumentFragment) => void): void => {
    const made = new DocumentFragment()
    make(made)
    end.before(made)
  }
  return (value) => {
    if (Array.isArray(value)) {
      if (items === undefined) clear()
      items ??= []
      // Ends of a list stay as empty places: ours are short.
      while (items.length < value.length) put((into) => items?.push(createHole(into)))
      for (const [at, draw] of items.entries()) draw(value[at])
    } else if (isTemplate(value)) {
      if (strings !== value.strings) {
        clear()
        const pieces = templates.get(value.strings) ?? parse(value.strings)
        templates.set(value.strings, pieces)
        put((into) => {
          fill = build(pieces, into)
          // Whole before it is in the page.
          fill(value.values)
        })
        strings = value.strings
      } else fill?.(value.values)
    } else if (value instanceof Node) {
      if (value !== shown || value.nextSibling !== end) {
        clear()
        end.before(value)
      }
    } else if (value !== shown) {
      clear()
      end.data = isEmpty(value) ? '' : String(value)
    }
    shown = value
  }
}

const isTemplate = (value: unknown): value is TemplateResult =>
  typeof value === 'object' && value !== null && 'strings' in value
