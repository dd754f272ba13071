#!/bin/bash
# Whether the broker answers: ApiVersions of the address that is given last, whose error code has to be 0.
address=${!#}
exec 3<>"/dev/tcp/${address%:*}/${address#*:}"
printf '\x00\x00\x00\x0a\x00\x12\x00\x00\x00\x00\x00\x01\xff\xff' >&3
[ "$(timeout 5 head -c 10 <&3 | tail -c 2 | od -An -tx1 | tr -d ' ')" = 0000 ]
