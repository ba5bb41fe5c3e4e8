// Registers the menus of the library. They are a large part of what a page loads, and nobody opens one at once.

import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js'
import '@awesome.me/webawesome/dist/components/dropdown-item/dropdown-item.js'
