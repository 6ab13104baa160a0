  #on s3:///x when it rains
//	on s3:///y when it snows-- on s3:///z when it shines