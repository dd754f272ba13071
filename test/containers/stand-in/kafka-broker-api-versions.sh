#!/bin/bash
# Succeeds if the broker at HOST:PORT, the last argument, responds to an ApiVersions request without an error.
address=${!#}
exec 3<>"/dev/tcp/${address%:*}/${address#*:}"
printf '\x00\x00\x00\x0a\x00\x12\x00\x00\x00\x00\x00\x01\xff\xff' >&3
[ "$(timeout 5 head -c 10 <&3 | tail -c 2 | od -An -tx1 | tr -d ' ')" = 0000 ]
