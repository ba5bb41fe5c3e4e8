<?php

declare(strict_types=1);

// Forwards one HTTP request as a proxy, and prints its first line: `php proxy.php <port>`.

$server = stream_socket_server("tcp://127.0.0.1:$argv[1]");
$client = $server === false ? false : stream_socket_accept($server, 20);
if ($client === false) {
    exit(1);
}
$head = '';
while (!str_ends_with($head, "\r\n\r\n")) {
    $head .= fread($client, 1);
}
preg_match('/^content-length: (\d+)/im', $head, $length);
$body = '';
while (strlen($body) < (int) ($length[1] ?? 0)) {
    // fread() waits for more when it is asked for more than there is.
    $body .= fread($client, min(8192, $length[1] - strlen($body)));
}
preg_match('~^\S+ http://([^/ ]+)~', $head, $target);
$upstream = stream_socket_client("tcp://$target[1]");
if ($upstream === false) {
    exit(1);
}
fwrite($upstream, preg_replace(['~ http://[^/ ]+~', '/^connection:.*\r\n/im'], [' ', ''], $head, 1) . $body);
// The server keeps its connection open, so the end of the answer is known by its length alone.
$answer = '';
do {
    $answer .= fread($upstream, 8192);
    $hasLength = preg_match('/\r\ncontent-length: (\d+).*?\r\n\r\n(.*)\z/is', $answer, $parts) === 1;
    $isWhole = $hasLength ? strlen($parts[2]) >= (int) $parts[1] : str_ends_with($answer, "0\r\n\r\n");
} while (!$isWhole && !feof($upstream));
fwrite($client, $answer);
fclose($client);
echo strtok($head, "\r\n"), "\n";
