// Wires mail: the routes of an environment, the loop that sends, and the server's own sender.

import { join } from 'node:path'
