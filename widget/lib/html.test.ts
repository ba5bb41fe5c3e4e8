// Templates drawn into a real page: what is made, what stays when values change, what is told at once.

import { assert } from 'chai'
import { html, nothing, render } from './html.ts'

suite('templates', () => {
  let box: HTMLElement

  setup(() => {
    box = document.createElement('div')
  })

  test('elements, attributes, text and SVG are made without the parser', () => {
    render(html`<p class="a ${'b'} c" data-x=${'<i>'} hidden><b>${'<img src=x>'}</b> ${1}<br /></p>`, box)
    const p = box.firstElementChild
    assert.deepEqual([p?.className, p?.getAttribute('data-x'), p?.hasAttribute('hidden')], ['a b c', '<i>', true])
    assert.equal(p?.innerHTML, '<b>&lt;img src=x&gt;</b> 1<br>')
    render(html`<svg viewBox="0 0 1 1"><path d=${'M0 0'} /></svg>`, box)
    assert.instanceOf(box.querySelector('path'), SVGPathElement)
    assert.equal(box.querySelector('path')?.getAttribute('d'), 'M0 0')
  })

  test('white space of the source is not in the page, that of the words is', () => {
    render(
      html`
        <p>
          ${'one'}
          <b>two</b> ${'three'}
        </p>
      `,
      box,
    )
    assert.equal(box.textContent, 'onetwo three')
  })

  test('what has not changed stays the same element', () => {
    const view = (word: string, look: string | typeof nothing) => html`<p class=${look}>${word}<i>${word}</i></p>`
    render(view('a', 'x'), box)
    const [p, i] = [box.querySelector('p'), box.querySelector('i')]
    render(view('b', nothing), box)
    assert.equal(box.innerHTML, '<p>b<i>b</i></p>')
    assert.deepEqual([box.querySelector('p'), box.querySelector('i')], [p, i])
  })

  test('a child may become anything and nothing, without leaving a trace', () => {
    const node = document.createElement('hr')
    const other = html`<u>${'deep'}</u>`
    const values = ['text', 0, nothing, other, [1, other, [2]], node, [], null, [other], undefined, node, other, '']
    const shown = ['text', '0', '', '<u>deep</u>', '1<u>deep</u>2', '<hr>', '', '', '<u>deep</u>', '', '<hr>']
    const view = (value: unknown) => html`${value}<b></b>${value}`
    for (const first of values) {
      for (const [at, next] of values.entries()) {
        render(view(first), box)
        render(view(next), box)
        const expected = shown[at] ?? (at === 11 ? '<u>deep</u>' : '')
        // A node has one place.
        assert.equal(box.innerHTML, `${next === node ? '' : expected}<b></b>${expected}`, `${at}`)
      }
    }
  })

  test('a list grows and shrinks; an item keeps its element', () => {
    const view = (words: string[]) => html`<ul>${words.map((word) => html`<li>${word}</li>`)}</ul>`
    render(view(['a', 'b', 'c']), box)
    const first = box.querySelector('li')
    render(view(['x']), box)
    assert.equal(box.innerHTML, '<ul><li>x</li></ul>')
    assert.equal(box.querySelector('li'), first)
    render(view(['x', 'y']), box)
    assert.equal(box.innerHTML, '<ul><li>x</li><li>y</li></ul>')
  })

  test('flags, properties that users change too, and the newest listener', () => {
    const heard: string[] = []
    const view = (isOn: boolean, name: string) =>
      html`<input ?disabled=${isOn} .checked=${isOn} type="checkbox" @input=${() => heard.push(name)} />`
    render(view(true, 'first'), box)
    const input = box.querySelector('input') as HTMLInputElement
    assert.deepEqual([input.disabled, input.checked], [true, true])
    input.checked = false
    render(view(true, 'second'), box)
    assert.isTrue(input.checked)
    input.dispatchEvent(new Event('input'))
    render(view(false, 'third'), box)
    assert.deepEqual([input.disabled, input.checked], [false, false])
    assert.deepEqual(heard, ['second'])
  })

  test('a container keeps what it had before, and may be drawn into while it is elsewhere', () => {
    box.append('before')
    const into = document.createElement('section')
    const view = (word: string) => html`<p>${word}</p>`
    render(view('a'), into)
    render(html`${into}`, box)
    render(view('b'), into)
    assert.equal(box.innerHTML, 'before<section><p>b</p></section>')
    render(nothing, box)
    assert.equal(box.innerHTML, 'before')
  })

  test('a template that is no HTML is told when it is drawn first', () => {
    const wrong = [html`<p>${1}`, html`<p></b></p>`, html`<p class="a>${1}</p>`]
    for (const each of wrong) assert.throws(() => render(each, document.createElement('div')))
  })
})
