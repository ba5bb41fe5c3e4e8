// The names of the elements inside the widget, which versions on one page share while they fit.

import { assert } from 'chai'
import { Piece } from './piece.ts'

suite('piece', () => {
  test('registers once under its tag, also for another version whose elements fit', () => {
    class First extends Piece {}
    class Copy extends Piece {}
    First.register('nc-test-copy')
    First.register('nc-test-copy')
    Copy.register('nc-test-copy')
    assert.equal(customElements.get('nc-test-copy'), First)
  })

  test('a version whose elements do not fit, and an element of the page under its tag, are errors that name it', () => {
    class Other extends Piece {
      static override readonly generation = 0
    }
    class Newer extends Piece {}
    Other.register('nc-test-version')
    assert.throws(() => Newer.register('nc-test-version'), /<nc-test-version>/)
    customElements.define('nc-test-page', class extends HTMLElement {})
    assert.throws(() => Newer.register('nc-test-page'), /<nc-test-page>/)
  })
})
