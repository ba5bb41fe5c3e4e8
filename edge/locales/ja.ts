// Holds the words of mails and of pages behind their links, in Japanese.

import type { EdgeWords } from './words.ts'

export const ja: EdgeWords = {
  footer: {
    why: '通知の設定に基づいてこのメールをお送りしています。',
    stop: '配信停止',
    preferences: '受信設定',
    always: '重要なお知らせです。この種類のメールは停止できません。',
  },
  links: {
    broken: ['このリンクは使えません', '途中で切れたか、変わった可能性があります。メールからもう一度開いてください。'],
    gone: ['このメールの記録はもうありません', '配信停止の対象がありません。'],
    critical: ['このメールは停止できません', 'アカウントなど、必要なお知らせが含まれています。'],
    ask: '配信を停止しますか',
    stop: '配信停止',
    done: '配信を停止しました',
    noMore: '「{}」に関するメールは届かなくなります。',
    noMoreOfAll: '重要なお知らせを除き、メールは届かなくなります。',
    again: '配信を再開する',
    back: '配信を再開しました',
    more: '「{}」に関するメールがこれまでどおり届きます。',
    moreOfAll: 'メールがこれまでどおり届きます。',
    yours: '受け取るメール',
    others: 'その他のメッセージ',
    always: '常に送信',
  },
}
