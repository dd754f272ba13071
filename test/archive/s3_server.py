"""Runs an S3 server that checks signatures and permissions, until stdin is closed.

Prints a JSON object with the server's endpoint and the access key of a user who can only access the bucket "archive".
"""

import json
import os
import sys

# Actions before access control starts: CreateUser, PutUserPolicy, CreateAccessKey and CreateBucket.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"

import boto3
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
endpoint = f"http://{host}:{port}"

options = {
    "endpoint_url": endpoint,
    "region_name": "us-east-1",
    "aws_access_key_id": "setup",
    "aws_secret_access_key": "setup",
}
policy = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Action": ["s3:ListBucket", "s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
            "Resource": ["arn:aws:s3:::archive", "arn:aws:s3:::archive/*"],
        }
    ],
}
iam = boto3.client("iam", **options)
iam.create_user(UserName="archive")
iam.put_user_policy(UserName="archive", PolicyName="archive", PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName="archive")["AccessKey"]
boto3.client("s3", **options).create_bucket(Bucket="archive")

print(json.dumps({"endpoint": endpoint, "id": key["AccessKeyId"], "secret": key["SecretAccessKey"]}), flush=True)
sys.stdin.read()
server.stop()
